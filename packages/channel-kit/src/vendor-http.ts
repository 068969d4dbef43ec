import { DAY_MS } from '@pushfleet/domain';
import type { Agent } from 'undici';
import { ChannelFault } from './fault';
import { exchange, type ExchangeEnd, type VendorRequest } from './http-exchange';

export interface VendorResponse {
  readonly status: number;
  readonly body: string;
  /** From the Retry-After header, in ms. */
  readonly retryAfterMs: number | undefined;
  /** Of a request that reaches no device. */
  readonly isHarmless?: boolean;
}

/**
 * HTTP towards a vendor. Any answer is returned, whatever its status; only the lack of one is a fault: `unreachable` when the
 * vendor surely has not taken the request, `unknown-outcome` when it may have.
 */
export interface VendorHttp {
  request(request: VendorRequest): Promise<VendorResponse>;
  close(): Promise<void>;
}

export interface VendorHttpOptions {
  /** For the whole of a request: connection, headers and body. */
  readonly deadlineMs: number;
  readonly connectionsPerOrigin: number;
}

/** Vendor answers are small; a larger body is given up. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export function openVendorHttp({ deadlineMs, connectionsPerOrigin }: VendorHttpOptions): VendorHttp {
  let agents: Promise<Agents> | undefined;
  return {
    async request(request) {
      const { kept, fresh } = await (agents ??= openAgents(deadlineMs, connectionsPerOrigin));
      const bounds = { deadlineAt: performance.now() + deadlineMs, maxAnswerBytes: MAX_ANSWER_BYTES };
      let end = await exchange(kept, request, bounds);
      // A vendor that closes idle connections may do so while a request is on its way.
      if (end.kind === 'lost' && end.wasReused) end = await exchange(fresh, request, bounds);
      return answerOf(request, end);
    },
    async close() {
      const { kept, fresh } = (await agents) ?? {};
      await Promise.all([kept?.close(), fresh?.close()]);
    },
  };
}

interface Agents {
  readonly kept: Agent;
  readonly fresh: Agent;
}

/** The client takes 6 MB and a twentieth of a second: it is loaded with the first request, for most processes make none. */
async function openAgents(deadlineMs: number, connectionsPerOrigin: number): Promise<Agents> {
  const { Agent } = await import('undici');
  // The deadline of a call is one timer; these end what a connection waits for without a call.
  const timeouts = { connectTimeout: deadlineMs, headersTimeout: 0, bodyTimeout: 0 };
  return {
    kept: new Agent({ ...timeouts, connections: connectionsPerOrigin, keepAliveTimeout: 30_000 }),
    fresh: new Agent({ ...timeouts, pipelining: 0 }),
  };
}

function answerOf({ url, method, isHarmless = method === 'GET' }: VendorRequest, end: ExchangeEnd): VendorResponse {
  if (end.kind === 'answer') {
    const retryAfterMs = parseRetryAfter(end.headers['retry-after']);
    return { status: end.status, body: end.body, retryAfterMs, isHarmless };
  }
  const { cause } = end;
  const { host } = new URL(url);
  if (end.kind === 'not-sent' || isHarmless)
    throw new ChannelFault('unreachable', `${host} could not be reached: ${reason(cause)}`, { cause });
  throw new ChannelFault('unknown-outcome', `${host} was called and gave no answer: ${reason(cause)}`, {
    vendorMessage: `no answer: ${reason(cause)}`,
    cause,
  });
}

function reason(cause: unknown): string {
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown error';
}

/** Seconds, or a date (RFC 9110, 10.2.3). Less than a second is no pause that anybody asked for, but a clock or a default. */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const isDate = /^[A-Z][a-z]{2,8},? .* GMT$/.test(value);
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : isDate ? Date.parse(value) - Date.now() : NaN;
  return ms >= 1000 ? Math.min(DAY_MS, ms) : undefined;
}
