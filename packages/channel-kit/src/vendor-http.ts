import { Agent, request } from 'undici';
import { ChannelFault } from './fault';

export interface VendorRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface VendorResponse {
  readonly status: number;
  readonly body: string;
  /** From the Retry-After header, in ms. */
  readonly retryAfterMs: number | undefined;
}

/** HTTP towards a vendor. Any answer is returned, whatever its status; only the lack of one is a fault (`unreachable`). */
export interface VendorHttp {
  request(request: VendorRequest): Promise<VendorResponse>;
  close(): Promise<void>;
}

export interface VendorHttpOptions {
  /** Per request, headers and body each. */
  readonly timeoutMs: number;
  readonly connectionsPerOrigin: number;
}

/** Vendor answers are small; a larger body is cut off as garbage. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export function openVendorHttp(options: VendorHttpOptions): VendorHttp {
  const agent = new Agent({
    connections: options.connectionsPerOrigin,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connectTimeout: options.timeoutMs,
    keepAliveTimeout: 30_000,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  return {
    async request({ method, url, headers, body, signal }) {
      try {
        const answer = await request(url, {
          method,
          headers: { ...headers },
          body: body ?? null,
          signal,
          dispatcher: agent,
        });
        return {
          status: answer.statusCode,
          body: await answer.body.text(),
          retryAfterMs: parseRetryAfter(answer.headers['retry-after']),
        };
      } catch (cause) {
        throw new ChannelFault('unreachable', `${new URL(url).host} could not be reached: ${reason(cause)}`, { cause });
      }
    },
    close: () => agent.close(),
  };
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown error';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
