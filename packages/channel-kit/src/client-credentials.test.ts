import { inspect } from 'node:util';
import { readToken } from './client-credentials';
import { isChannelFault, type ChannelFault } from './fault';
import type { VendorResponse } from './vendor-http';

const GRANT = { marginMs: 180_000, errorDetail: 'sub_error' };
const answer = (body: string, status = 200): VendorResponse => ({ status, body, retryAfterMs: undefined });

function faultOf(response: VendorResponse): ChannelFault {
  try {
    readToken(response, GRANT, 0);
  } catch (error) {
    if (isChannelFault(error)) return error;
  }
  throw new Error('a fault was expected');
}

test('a token is read as JSON and given up before the vendor does', () => {
  const token = answer('{"access_token":"t","expires_in":3600,"token_type":"Bearer"}');
  expect(readToken(token, GRANT, 1000)).toEqual({ value: 't', expiresAt: 1000 + 3_420_000 });
});

test('a short-lived token is used for half of its life', () => {
  expect(readToken(answer('{"access_token":"t","expires_in":60}'), GRANT, 0).expiresAt).toBe(30_000);
});

test('a refusal is told with the detail that the vendor has a field of its own for', () => {
  const words = '{"error":1101,"sub_error":20051,"error_description":"invalid client_secret"}';
  expect(faultOf(answer(words, 400))).toMatchObject({
    code: 'credentials-rejected',
    vendorCode: '1101/20051',
    vendorMessage: 'invalid client_secret',
  });
});

test.each([
  [400, 'vendor-error'],
  [403, 'vendor-error'],
  [404, 'vendor-error'],
  [408, 'vendor-error'],
  [429, 'throttled'],
  [500, 'vendor-error'],
  [503, 'vendor-error'],
  [200, 'vendor-error'],
])('HTTP %d without a readable body is the fault %s', (status, code) => {
  expect(faultOf(answer('<html></html>', status)).code).toBe(code);
});

test('an answer that may hold a token is never quoted', () => {
  const fault = faultOf(answer('{"access_token":"the-token","expires_in":"soon"}'));
  expect(fault.code).toBe('vendor-error');
  expect(inspect(fault)).not.toContain('the-token');
});

test('a refusal in words of the vendor ends the push, with a status that says so only', () => {
  const words = '{"error":"invalid_client","error_description":"no"}';
  for (const status of [400, 401, 403]) expect(faultOf(answer(words, status)).code).toBe('credentials-rejected');
  expect(faultOf(answer(words, 408)).code).toBe('vendor-error');
});

test.each(['t\u4e2d', 't\r\nx', 't\u0000', ''])('the token %j, which no header can hold, is none', (value) => {
  const token = answer(JSON.stringify({ access_token: value, expires_in: 3600 }));
  expect(faultOf(token).code).toBe('vendor-error');
});

test('a token that is longer than any header is none, and the longest is one', () => {
  const tokenOf = (length: number) => answer(JSON.stringify({ access_token: 't'.repeat(length), expires_in: 3600 }));
  expect(faultOf(tokenOf(8193)).code).toBe('vendor-error');
  expect(readToken(tokenOf(8192), GRANT, 0).value).toHaveLength(8192);
});
