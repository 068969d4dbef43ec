import { z } from 'zod';
import { isChannelFault } from './fault';
import { parseAnswer } from './parse-answer';
import type { VendorResponse } from './vendor-http';

const body = '{"code":1}';

function faultCodeOf(response: VendorResponse): unknown {
  try {
    return parseAnswer(z.object({ code: z.number() }), response);
  } catch (error) {
    if (isChannelFault(error)) return [error.code, error.retryAfterMs];
    throw error;
  }
}

it('a 503 that says when to come back is throttling, whatever its body says', () => {
  expect(faultCodeOf({ status: 503, body, retryAfterMs: 7000 })).toEqual(['throttled', 7000]);
  expect(faultCodeOf({ status: 503, body: '<html>', retryAfterMs: 7000 })).toEqual(['throttled', 7000]);
});

it('a 503 that does not is read like any other answer', () => {
  expect(faultCodeOf({ status: 503, body, retryAfterMs: undefined })).toEqual({ code: 1 });
  expect(faultCodeOf({ status: 503, body: '<html>', retryAfterMs: undefined })).toEqual(['vendor-error', undefined]);
});
