import { type z } from 'zod';
import { ChannelFault } from './fault';
import type { VendorResponse } from './vendor-http';
import { vendorJson } from './vendor-json';

/**
 * Reads a vendor's JSON answer. The schema asks only for the fields that are used. An answer that is not JSON or misses one
 * of them says nothing about what became of the message: after a 2xx it may have been taken. Where the vendor does not know the
 * code of an answer, something in between wrote it, and its HTTP status says more.
 */
export function parseAnswer<T>(
  schema: z.ZodType<T>,
  response: VendorResponse,
  isKnown: (answer: T) => boolean = () => true,
): T {
  const busy = asksToWait(response) ? faultOfStatus(response) : undefined;
  if (busy) throw busy;
  const parsed = schema.safeParse(vendorJson(response.body));
  if (parsed.success && isKnown(parsed.data)) return parsed.data;
  const fault = faultOfStatus(response);
  if (fault) throw fault;
  if (parsed.success) return parsed.data;
  throw unreadable(response);
}

function unreadable(response: VendorResponse): ChannelFault {
  const { status, isHarmless } = response;
  const code = isHarmless ? 'vendor-error' : status < 300 ? 'unknown-outcome' : 'unrecognised-answer';
  return new ChannelFault(code, `HTTP ${status} with an unreadable body`, detailsOf(response));
}

/** The fault that an HTTP status alone stands for; undefined for 2xx and for statuses that say nothing by themselves. */
export function faultOfStatus(response: VendorResponse): ChannelFault | undefined {
  const { status } = response;
  const fault = (code: ChannelFault['code'], words = ''): ChannelFault =>
    new ChannelFault(code, `HTTP ${status}${words}`, detailsOf(response));
  if (status === 429) return fault('throttled');
  if (asksToWait(response)) return fault('throttled', ', asks to wait');
  // A gateway that gave up: what is behind it may go on.
  if (status === 504 && !response.isHarmless) return fault('unknown-outcome');
  // 408: the vendor did not get the whole request.
  return status >= 500 || status === 408 ? fault('vendor-error') : undefined;
}

/** RFC 9110, "503 Service Unavailable": with Retry-After a server says that it is busy, not broken. */
const asksToWait = ({ status, retryAfterMs }: VendorResponse): boolean => status === 503 && retryAfterMs !== undefined;

const detailsOf = ({ status, body, retryAfterMs }: VendorResponse) => ({
  vendorCode: String(status),
  vendorMessage: body.slice(0, 200),
  retryAfterMs,
});
