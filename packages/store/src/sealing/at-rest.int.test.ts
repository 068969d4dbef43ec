import { anApp, keysIn, unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

/** Every key and value of this file's namespace, as bytes would be read from a dump. */
async function everythingAtRest(): Promise<string> {
  const texts: string[] = [];
  for (const key of await keysIn(t.redis, `*${t.harness.namespace}*`)) {
    const read = READERS[await t.redis.type(key)];
    if (!read) throw new Error(`${key} is of a type that nobody reads here`);
    texts.push(key, JSON.stringify(await read(key)));
  }
  return texts.join('\n');
}

const READERS: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
  string: (key) => t.redis.get(key),
  hash: (key) => t.redis.hgetall(key),
  set: (key) => t.redis.smembers(key),
  zset: (key) => t.redis.zrange(key, '0', '-1'),
  list: (key) => t.redis.lrange(key, 0, -1),
};

it('neither app keys nor credentials nor access tokens can be read in what Redis holds', async () => {
  const app = anApp();
  const appSecret = unique('vendor-secret');
  const receiptKey = unique('receipt');
  const accessToken = unique('token');
  await t.store.apps.create(app);
  const newKey = unique('key');
  await t.store.apps.update(app.id, (stored) => ({ ...stored, key: newKey }));
  const ref = { app: app.id, channel: 'hms', profile: '_default' };
  await t.store.profiles.put(ref, { value: { appId: '1', appSecret }, receiptKey });
  await t.store.tokens.write(`hms/${app.id}`, { value: accessToken, expiresAt: t.clock.now() + 60_000 });

  const dump = await everythingAtRest();
  expect(dump).toContain(app.id);
  for (const secret of [app.key, newKey, app.masterKey, appSecret, receiptKey, accessToken]) {
    const forms = [
      secret,
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('hex'),
    ];
    for (const form of forms) expect(dump).not.toContain(form);
  }
});

it('a value that was altered in Redis is refused', async () => {
  const ref = { app: 'altered', channel: 'hms', profile: '_default' };
  await t.store.profiles.put(ref, { value: { appSecret: 's' }, receiptKey: 'k' });
  const key = t.keys.profiles('altered');
  const sealed = (await t.redis.hget(key, 'hms/_default')) ?? '';
  const parts = sealed.split('.');
  const text = Buffer.from(parts.at(-1) ?? '', 'base64url');
  text[0] = (text[0] ?? 0) ^ 1;
  await t.redis.hset(key, 'hms/_default', [...parts.slice(0, -1), text.toString('base64url')].join('.'));
  await expect(t.store.profiles.get(ref)).rejects.toThrow();
});
