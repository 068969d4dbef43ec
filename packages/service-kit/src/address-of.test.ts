import { addressOf } from './address-of';

describe('behind proxies', () => {
  const request = (forwarded?: string) => ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '10.0.0.1' },
  });

  test.each<readonly [string, readonly [ReturnType<typeof request>, number, string]]>([
    ['what a caller claims does not count without a proxy', [request('6.6.6.6'), 0, '10.0.0.1']],
    ['the last entry is what the only proxy heard', [request('6.6.6.6, 203.0.113.5'), 1, '203.0.113.5']],
    ['with two proxies it is the one before', [request('6.6.6.6, 203.0.113.5, 10.0.0.9'), 2, '203.0.113.5']],
    ['a short list gives what it has', [request('203.0.113.5'), 3, '203.0.113.5']],
    ['a port beside an address does not count', [request('203.0.113.5:50111'), 1, '203.0.113.5']],
    ['nor beside one in brackets', [request('[2001:db8::1]:50111'), 1, '2001:db8::1']],
    ['which need not have one', [request('[2001:db8::1]'), 1, '2001:db8::1']],
    ['an address of many colons has none', [request('2001:db8::1'), 1, '2001:db8::1']],
    ['without a list the peer counts', [request(), 1, '10.0.0.1']],
  ])('%s', (_, [req, hops, address]) => {
    expect(addressOf(req, hops)).toBe(address);
  });
});
