import { type z } from 'zod';
import { ChannelFault } from './fault';
import type { VendorResponse } from './vendor-http';

/**
 * Reads a vendor's JSON answer. The schema asks only for the fields that are used; an answer that is not JSON or misses
 * one of them is `unrecognised-answer`, and a 5xx without a readable body is `vendor-error`.
 */
export function parseAnswer<T>(schema: z.ZodType<T>, response: VendorResponse): T {
  const busy = asksToWait(response) ? faultOfStatus(response) : undefined;
  if (busy) throw busy;
  const parsed = schema.safeParse(tryJson(response.body));
  if (parsed.success) return parsed.data;
  throw (
    faultOfStatus(response) ??
    new ChannelFault('unrecognised-answer', `HTTP ${response.status} with an unreadable body`, {
      vendorCode: String(response.status),
      vendorMessage: response.body.slice(0, 200),
    })
  );
}

/** The fault that an HTTP status alone stands for; undefined for 2xx and for statuses that say nothing by themselves. */
export function faultOfStatus(response: VendorResponse): ChannelFault | undefined {
  const details = {
    vendorCode: String(response.status),
    vendorMessage: response.body.slice(0, 200),
    retryAfterMs: response.retryAfterMs,
  };
  if (response.status === 429) return new ChannelFault('throttled', 'HTTP 429', details);
  if (asksToWait(response)) return new ChannelFault('throttled', `HTTP ${response.status}, asks to wait`, details);
  if (response.status >= 500) return new ChannelFault('vendor-error', `HTTP ${response.status}`, details);
  return undefined;
}

/** RFC 9110, "503 Service Unavailable": with Retry-After a server says that it is busy, not broken. */
const asksToWait = ({ status, retryAfterMs }: VendorResponse): boolean => status === 503 && retryAfterMs !== undefined;

function tryJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
