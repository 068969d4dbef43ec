/**
 * Writes what a fleet leaves in Redis when it is taken down in the middle of its work: `format-1.ndjson.br` beside this file
 * is what it wrote with the code of the first round. The first line of a dump says whom it knows of; each further line is one
 * key, `[key, milliseconds left to live or 0, type, value]`, which any Redis and any cluster takes (`load-dump.ts`).
 *
 *   node apps/e2e/src/upgrade/write-dump.mjs CHECKOUT FILE      CHECKOUT: a clone of that code, installed and built
 *
 * Pushes expire in 2100, so that the dump does not grow old; the keys in it open nothing else.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { openRedis } from '@pushfleet/store';
import { startRedisProcess, until } from '@pushfleet/testing';

const [checkout, file] = process.argv.slice(2);
const SECRET_KEY = Buffer.alloc(32, 'format-1').toString('base64');
const EXPIRES = { expiration_time: '2100-01-01T00:00:00.000Z' };
/** Four pages of mz: its largest call takes a hundred devices. */
const MZ_DEVICES = 400;
const HMS_DEVICES = 20;
const OWN_DEVICES = 3;

const redis = await startRedisProcess();
const running = new Map();
const env = {
  PATH: process.env.PATH,
  REDIS_URL: redis.url,
  SECRET_KEY,
  ADMIN_TOKEN: 'admin-token-of-the-dump',
  INGRESS_PORT: '0',
  CONSOLE_PORT: '0',
  SIMULATOR_PORT: '0',
  USER_INFO_PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'warn',
  MAILBOX_LIFE_MS: String(73 * 365 * 86_400_000),
};

async function run(app, extra = {}, name = app) {
  const child = fork(join(checkout, 'apps', app, 'dist/main.js'), [], {
    env: { ...env, ...extra },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [{ urls }] = await once(child, 'message');
  running.set(name, { child, urls });
  return urls;
}

async function kill(name) {
  const { child } = running.get(name);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  running.delete(name);
}

async function call([method, url], body, headers = {}) {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const simulator = (await run('simulator')).simulator;
for (const name of ['HMS_AUTH', 'HMS_PUSH', 'HONOR_AUTH', 'HONOR_PUSH', 'MI_PUSH', 'MZ_PUSH', 'OPPO_PUSH', 'VIVO_PUSH'])
  env[`${name}_URL`] = simulator;
const ingress = (await run('ingress')).ingress;
env.INGRESS_PUBLIC_URL = ingress;
const console_ = (await run('console')).console;
await run('dispatcher', { PUSH_RETENTION_MS: String(365 * 86_400_000) });
const runWorker = (channel, extra) => run('channel-worker', { CHANNEL: channel, ...extra }, `worker-${channel}`);
await Promise.all([runWorker('hms'), runWorker('own'), runWorker('mz', { SEND_CONCURRENCY: '1' })]);

const admin = (method, path, body) =>
  call([method, `${console_}/api/v1${path}`], body, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
const created = await admin('POST', '/apps', { name: 'upgraded', edition: 'commercial' });
const app = { id: created.id, key: created.key, masterKey: created.masterKey };
await admin('PATCH', `/apps/${app.id}`, { hybrid: true, limits: { callsPerMinute: 0 } });
const profiles = {
  hms: { appId: '100000001', appSecret: 'sim-secret', receiptUser: 'sim-user', receiptSecret: 'sim-secret' },
  mz: { appId: '100999', appSecret: 'sim-secret' },
};
for (const [channel, profile] of Object.entries(profiles))
  await admin('PUT', `/apps/${app.id}/profiles/${channel}/_default`, profile);

const token = { access_token: 'an-access-token', mac_key: 'a-mac-key-of-sixteen', mac_algorithm: 'hmac-sha-1' };
const account = { userId: 'user-1', clientId: 'client-1', name: 'Ada', ...token };
await admin('PUT', `/clients/${account.clientId}`, { name: 'A game' });
await admin('PUT', `/users/${account.userId}`, { name: account.name, avatar: '', gender: 0, is_guest: false });
await admin('POST', `/users/${account.userId}/tokens/${account.clientId}`, token);

const wire = (method, path, body) =>
  call([method, `${ingress}/1.1${path}`], body, { 'x-lc-id': app.id, 'x-lc-key': app.key });
const push = async (body) => (await wire('POST', '/push', { ...EXPIRES, ...body })).objectId;
const pushTo = (installationId, alert) => push({ where: { installationId }, data: { alert } });
const record = (id) => wire('GET', `/notifications/${id}`);
const isDone = (id) => until(async () => (await record(id)).status === 'done', { timeoutMs: 20_000 });
const save = (kind, n, fields) =>
  wire('POST', '/installations', {
    deviceType: 'android',
    installationId: `${kind}-${n}`,
    channels: ['all', `user-${kind}-${n}`],
    ...fields,
  });
for (let n = 0; n < MZ_DEVICES; n += 1) await save('mz', n, { vendor: 'mz', registrationId: `mz-token-${n}` });
for (let n = 0; n < HMS_DEVICES; n += 1) await save('hms', n, { vendor: 'HMS', registrationId: `hms-token-${n}` });
for (let n = 0; n < OWN_DEVICES; n += 1) await save('own', n, {});

const delivered = await pushTo('hms-0', 'arrived before the upgrade');
const offline = [await pushTo('own-0', 'first'), await pushTo('own-0', 'second')];
for (const id of [delivered, ...offline]) await isDone(id);

await call(['PUT', `${simulator}/_simulator/faults`], { channel: 'mz', kind: 'slow', delayMs: 1500 });
const campaign = await push({ data: { alert: 'half sent' } });
await until(async () => (await record(campaign)).channels.mz?.accepted >= MZ_DEVICES / 2, { timeoutMs: 30_000 });
// In the middle of a call, which the vendor takes.
await delay(500);
await kill('worker-mz');
await until(async () =>
  ((c) => c.hms?.accepted === HMS_DEVICES && c.own?.accepted === OWN_DEVICES)((await record(campaign)).channels),
);

const later = (ms) => ({ push_time: new Date(Date.now() + ms).toISOString() });
const due = await push({ ...later(65_000), where: { installationId: 'hms-1' }, data: { alert: 'due by then' } });
const waiting = await push({
  push_time: '2099-01-01T00:00:00.000Z',
  where: { installationId: 'hms-1' },
  data: { alert: 'waits on' },
});
await kill('worker-hms');
const planned = [];
for (let n = 2; n < 5; n += 1) planned.push(await pushTo(`hms-${n}`, 'planned'));
await delay(1000);
await kill('dispatcher');
const accepted = [];
for (let n = 5; n < 8; n += 1) accepted.push(await pushTo(`hms-${n}`, 'accepted'));
// Reports that wait in their queue.
const { receiptUrl: url } = await admin('GET', `/apps/${app.id}/profiles/hms/_default`);
await call(['POST', `${simulator}/_simulator/receipts`], { channel: 'hms', kind: 'delivered', url });
await delay(1000);

const { results } = await call(['GET', `${simulator}/_simulator/messages?channel=mz&limit=1000`]);
const before = { campaign: await record(campaign), delivered: await record(delivered) };
const sent = results.flatMap(({ registrationIds }) => registrationIds);
const known = {
  secretKey: SECRET_KEY,
  app,
  account,
  devices: { mz: MZ_DEVICES, hms: HMS_DEVICES, own: OWN_DEVICES },
  pushes: { campaign, delivered, offline, due, waiting, planned, accepted },
  /** Whom the vendor had taken the campaign for. */
  sent,
};
console.error(JSON.stringify({ books: before, sent: sent.length, due, planned, accepted }, undefined, 1));
for (const name of [...running.keys()]) await kill(name);

const client = await openRedis({ url: redis.url, patience: 'wait', onError: console.error });
const readers = {
  string: (key) => client.get(key),
  hash: (key) => client.hgetall(key),
  list: (key) => client.lrange(key, 0, -1),
  set: (key) => client.smembers(key),
  zset: (key) => client.zrange(key, 0, -1, 'WITHSCORES'),
};
const lines = [JSON.stringify(known)];
for (const key of (await client.keys('*')).sort()) {
  const [type, ttl] = [await client.type(key), await client.pttl(key)];
  // The events of the queues, which nobody reads.
  if (type === 'stream' || ttl === -2) continue;
  const value = await readers[type](key);
  if (JSON.stringify(value).includes('\ufffd')) throw new Error(`${key} is no text`);
  lines.push(JSON.stringify([key, Math.max(0, ttl), type, value]));
}
client.disconnect();
await redis.close();
const text = Buffer.from(`${lines.join('\n')}\n`);
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 };
writeFileSync(file, brotliCompressSync(text, { params }));
console.error(`${lines.length - 1} keys, ${text.length} bytes`);
