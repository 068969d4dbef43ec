import { sourceAddress } from './source-address';

const onLinux = process.platform === 'linux';

test('many devices of this machine come from many addresses, each device always from its own', () => {
  const addresses = Array.from({ length: 1000 }, (_, n) => sourceAddress('ws://127.0.0.1:8082', n, 1000));
  expect(new Set(addresses).size).toBe(onLinux ? 10 : 1);
  expect(sourceAddress('ws://127.0.0.1:8082', 7, 1000)).toBe(onLinux ? '127.0.0.9' : undefined);
});

test.each([
  ['few devices', 'ws://127.0.0.1:8082', 100],
  ['devices of another machine', 'wss://gateway.example.com', 100_000],
])('%s come from where the system has them', (_, url, count) => {
  expect(sourceAddress(url, 0, count)).toBeUndefined();
});
