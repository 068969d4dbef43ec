import { fakeClock } from '@pushfleet/testing';
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

function paced() {
  const clock = fakeClock();
  const addresses = new Addresses({ connections: 0, loginsPerSecond: 20 }, clock.now);
  addresses.enter('a');
  return { clock, addresses };
}

test('a second of logins is free, the next ones take their turn, and rest pays off', () => {
  const { clock, addresses } = paced();
  const delays = Array.from({ length: 22 }, () => addresses.loginDelayMs('a'));
  expect(delays.slice(0, 20)).toEqual(new Array<number>(20).fill(0));
  expect(delays.slice(20)).toEqual([50, 100]);
  clock.advance(5000);
  expect(addresses.loginDelayMs('a')).toBe(0);
});

test('nobody waits longer than 15 s, whoever came before: others are sent away and take no turn', () => {
  const { clock, addresses } = paced();
  const delays = Array.from({ length: 75_000 }, () => addresses.loginDelayMs('a'));
  const served = delays.filter((ms) => ms !== undefined);
  expect([served.length, Math.max(...served)]).toEqual([20 + 300, 15_000]);
  clock.advance(15_050);
  expect(addresses.loginDelayMs('a')).toBeLessThan(100);
});

test('who leaves and comes back finds the turns as they were, on however many connections', () => {
  const { clock, addresses } = paced();
  const delays = Array.from({ length: 22 }, () => {
    const delayMs = addresses.loginDelayMs('a');
    addresses.leave('a');
    addresses.enter('a');
    return delayMs;
  });
  expect(delays.slice(19)).toEqual([0, 50, 100]);
  clock.advance(1100);
  expect(addresses.loginDelayMs('a')).toBe(0);
});

test('an address that left is forgotten when its turns are over', () => {
  const { clock, addresses } = paced();
  addresses.enter('here');
  addresses.enter('no login');
  addresses.leave('no login');
  expect(addresses.size).toBe(2);
  for (let n = 0; n < 25; n += 1) addresses.loginDelayMs('a');
  addresses.leave('a');
  const sizes = [1000, 249, 1].map((ms) => {
    clock.advance(ms);
    addresses.sweep();
    return addresses.size;
  });
  expect(sizes).toEqual([2, 2, 1]);
});
