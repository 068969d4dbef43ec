import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { EnteredContexts } from './context-manager';
import { ROUTED, type Routed } from './routed';

/** Probes and scrapes are no work. */
const IGNORED = new Set(['/metrics', '/healthz', '/readyz']);

interface ServerEvent {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface UndiciRequest {
  readonly method: string;
  readonly origin: string | URL;
}

interface UndiciEvent {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: Error;
}

type Listener = (event: unknown) => void;

/** A span for every request that the process serves, and for every one that it makes; returns what ends that. */
export function followHttp(tracer: Tracer, contexts: EnteredContexts): () => void {
  const listeners = { ...serverListeners(tracer, contexts), ...clientListeners(tracer) };
  for (const [channel, listener] of Object.entries(listeners)) diagnostics.subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners)) diagnostics.unsubscribe(channel, listener);
  };
}

function serverListeners(tracer: Tracer, contexts: EnteredContexts): Readonly<Record<string, Listener>> {
  const spans = new WeakMap<IncomingMessage, Span>();
  return {
    'http.server.request.start': (event) => {
      const { request, response } = event as ServerEvent;
      const { method = '', url = '' } = request;
      if (IGNORED.has(url.split('?', 1)[0] ?? '')) return contexts.enter(ROOT_CONTEXT);
      const parent = propagation.extract(ROOT_CONTEXT, request.headers);
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      spans.set(request, span);
      // Also of a caller who left without the answer.
      response.once('close', () => endServed(span, response));
      contexts.enter(trace.setSpan(parent, span));
    },
    [ROUTED.name]: (event: unknown) => {
      const { request, path } = event as Routed;
      spans.get(request)?.updateName(`${request.method} ${path}`).setAttribute('http.route', path);
    },
  };
}

function endServed(span: Span, { headersSent, writableFinished, statusCode }: ServerResponse): void {
  if (!writableFinished) span.setStatus({ code: SpanStatusCode.ERROR, message: 'the caller is gone' });
  if (headersSent) endWith(span, statusCode);
  else span.end();
}

function clientListeners(tracer: Tracer): Readonly<Record<string, Listener>> {
  const spans = new WeakMap<UndiciRequest, Span>();
  const statuses = new WeakMap<UndiciRequest, number>();
  return {
    'undici:request:create': (event) => {
      const { request } = event as UndiciEvent;
      const { host } = new URL(request.origin);
      const attributes = { 'http.request.method': request.method, 'server.address': host };
      const options = { kind: SpanKind.CLIENT, attributes };
      spans.set(request, tracer.startSpan(`${request.method} ${host}`, options, context.active()));
    },
    'undici:request:headers': (event) => {
      const { request, response } = event as UndiciEvent;
      statuses.set(request, response?.statusCode ?? 0);
    },
    'undici:request:trailers': (event) => {
      const { request } = event as UndiciEvent;
      endWith(spans.get(request), statuses.get(request) ?? 0);
    },
    'undici:request:error': (event) => {
      const { request, error } = event as UndiciEvent;
      const span = spans.get(request);
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error?.name ?? 'error' });
      span?.end();
    },
  };
}

function endWith(span: Span | undefined, status: number): void {
  span?.setAttribute('http.response.status_code', status);
  if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
}
