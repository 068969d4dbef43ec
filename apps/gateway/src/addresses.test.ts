import { fakeClock } from '@pushfleet/testing';
import { addressOf } from './address-of';
import { Addresses } from './addresses';

test('an address may have so many connections, and more when some leave', () => {
  const addresses = new Addresses({ connections: 2, loginsPerSecond: 0 }, () => 0);
  expect([1, 2, 3].map(() => addresses.enter('a'))).toEqual([true, true, false]);
  expect(addresses.enter('b')).toBe(true);
  addresses.leave('a');
  expect(addresses.enter('a')).toBe(true);
});

test('0 is no limit', () => {
  const addresses = new Addresses({ connections: 0, loginsPerSecond: 0 }, () => 0);
  for (let n = 0; n < 5000; n += 1) expect(addresses.enter('a')).toBe(true);
  expect(addresses.loginDelayMs('a')).toBe(0);
});

test('a second of logins is free, the next ones take their turn, and rest pays off', () => {
  const clock = fakeClock();
  const addresses = new Addresses({ connections: 0, loginsPerSecond: 20 }, clock.now);
  addresses.enter('a');
  const delays = Array.from({ length: 22 }, () => addresses.loginDelayMs('a'));
  expect(delays.slice(0, 20)).toEqual(new Array<number>(20).fill(0));
  expect(delays.slice(20)).toEqual([50, 100]);
  clock.advance(5000);
  expect(addresses.loginDelayMs('a')).toBe(0);
});

describe('behind proxies', () => {
  const request = (forwarded?: string) => ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '10.0.0.1' },
  });

  test.each<readonly [string, readonly [ReturnType<typeof request>, number, string]]>([
    ['what a device claims does not count without a proxy', [request('6.6.6.6'), 0, '10.0.0.1']],
    ['the last entry is what the only proxy heard', [request('6.6.6.6, 203.0.113.5'), 1, '203.0.113.5']],
    ['with two proxies it is the one before', [request('6.6.6.6, 203.0.113.5, 10.0.0.9'), 2, '203.0.113.5']],
    ['a short list gives what it has', [request('203.0.113.5'), 3, '203.0.113.5']],
    ['without a list the peer counts', [request(), 1, '10.0.0.1']],
  ])('%s', (_, [req, hops, address]) => {
    expect(addressOf(req, hops)).toBe(address);
  });
});
