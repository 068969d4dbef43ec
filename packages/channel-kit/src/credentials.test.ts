import { tokenKey, verifyByToken } from './credentials';
import { ChannelFault } from './fault';

test('a token that the vendor gives proves the credentials', async () => {
  await expect(verifyByToken(() => Promise.resolve('token'))).resolves.toEqual({ ok: true });
});

test('refused credentials are told in the words of the vendor', async () => {
  const details = { vendorCode: '11', vendorMessage: 'no such key' };
  const refused = new ChannelFault('credentials-rejected', 'refused', details);
  await expect(verifyByToken(() => Promise.reject(refused))).resolves.toEqual({ ok: false, ...details });
});

test('a vendor that is busy says nothing about the credentials', async () => {
  const busy = new ChannelFault('throttled', 'later');
  await expect(verifyByToken(() => Promise.reject(busy))).rejects.toBe(busy);
});

test('every credential shapes the key, and no key shows one', () => {
  const key = tokenKey('demo', 'app', 'secret');
  const others = [
    tokenKey('demo', 'app', 'other'),
    tokenKey('demo', 'other', 'secret'),
    tokenKey('other', 'app', 'secret'),
  ];
  expect(new Set([key, ...others]).size).toBe(4);
  expect(key).toMatch(/^demo-[0-9a-f]{32}$/);
});
