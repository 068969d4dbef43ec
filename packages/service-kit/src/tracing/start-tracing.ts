import { context, diag, propagation, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger';
import { EnteredContexts } from './context-manager';
import { followHttp } from './http-spans';
import { openSampler } from './sampler';
import { logComplaints, toldExporter } from './told-exporter';
import type { Mark, Tracing } from './tracing';

export interface TracingTarget {
  readonly service: string;
  /** Base address of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  /** Of all traces, from 0 to 1. */
  readonly share: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** A stopping process hands over its last spans within this time, or not at all. */
const EXPORT_TIMEOUT_MS = 3000;

/** Registers itself with the API of OpenTelemetry, where the queue library looks for it. */
export function startTracing({ service, endpoint, share, log }: TracingTarget, given?: SpanExporter): Tracing {
  logComplaints(log);
  const exporter = given ?? new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `pushfleet-${service}` }),
    sampler: openSampler(share),
    spanProcessors: [new BatchSpanProcessor(toldExporter(exporter, log))],
  });
  const contexts = new EnteredContexts();
  context.setGlobalContextManager(contexts);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const tracer = provider.getTracer('pushfleet');
  const unfollow = followHttp(tracer, contexts);
  return {
    isOn: true,
    mark: () => contexts.active(),
    async runFor(name, marks, run) {
      const [first, ...others] = marks.map(contextOf);
      if (first === undefined) return run();
      const links = others.flatMap((other) => spanContextOf(other));
      const span = tracer.startSpan(name, { links, attributes: { 'pushfleet.marks': marks.length } }, first);
      for (const other of others) trace.getSpan(other)?.addLink({ context: span.spanContext() });
      try {
        return await contexts.with(trace.setSpan(first, span), run);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    async close() {
      unfollow();
      // A receiver that is away must not make a clean stop look like a failed one, nor one that never ends its answer.
      const end = provider.shutdown().catch(() => undefined);
      const isOver = await Promise.race([end.then(() => true), sleep(EXPORT_TIMEOUT_MS, false, { ref: false })]);
      if (!isOver) log.warn('the receiver of traces did not answer in time for the last spans');
      trace.disable();
      context.disable();
      diag.disable();
    },
  };
}

/** A mark is what `mark` gave out. */
const contextOf = (mark: Mark): Context => mark as Context;

const spanContextOf = (of: Context) => {
  const found = trace.getSpanContext(of);
  return found === undefined ? [] : [{ context: found }];
};
