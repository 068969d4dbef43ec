import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { channels } from '@pushfleet/channels';
import { fillMasters, redisHarness, startRedisServer, unique } from '@pushfleet/testing';
import { openRedis } from '@pushfleet/store';
import { checkReceiptEntries } from '../routes/receipt-jobs';
import { receiptsEndpoint } from '../routes/receipts';
import { openIngress, type Ingress, type IngressOptions } from '../testing/ingress-harness';

const harness = redisHarness();
const receiptKey = unique('receipt');
let ingress: Ingress;
beforeAll(async () => {
  // Every callback comes in a second of its own: what is left is what each takes.
  let now = Date.now();
  ingress = await withProfile({ now: () => (now += 1000) });
});

async function withProfile(options: IngressOptions = {}): Promise<Ingress> {
  const opened = await openIngress(harness, options);
  const value = { appId: '1', appSecret: 'secret' };
  await opened.store.profiles.put({ app: opened.app.id, channel: 'hms', profile: '_default' }, { value, receiptKey });
  return opened;
}

interface Report {
  readonly body: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = async ({ body, headers = {} }: Report, { url, app } = ingress): Promise<number> =>
  (await fetch(`${url}/push/v1/callback/hms/${app.id}/_default/${receiptKey}`, { method: 'POST', headers, body }))
    .status;

const packed = async (text: string): Promise<Report> => ({
  body: Buffer.from(await promisify(gzip)(text)),
  headers: { 'content-encoding': 'gzip' },
});

/** As many devices as a report may name. */
const fullReport = (salt: string): string =>
  JSON.stringify({
    statuses: Array.from({ length: 10_000 }, (_, n) => ({ token: `${salt}-${n}`, biTag: 'push1', status: 0 })),
  });

/** What counts is time on a processor, so that a busy machine does not matter. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

test('reports of many devices that come together are read in turns of their own', async () => {
  const { app, store, queues } = ingress;
  const turns: number[] = [];
  let turn = 0;
  let isOver = false;
  const nextTurn = (): void => {
    turn += 1;
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const { hms } = channels;
  const parseReceipt: typeof hms.parseReceipt = (raw, value) => {
    turns.push(turn);
    return (
      hms.parseReceipt?.(raw, value) ?? { receipts: [], reply: { status: 500, contentType: 'text/plain', body: '' } }
    );
  };
  const endpoint = receiptsEndpoint({
    profiles: store.profiles,
    channels: { hms: { ...hms, parseReceipt } },
    signatures: store.receiptSignatures,
    requireRoom: store.requireReceiptRoom,
    receipts: queues.receipts,
    metrics: { calledBack: () => undefined },
    now: Date.now,
  });
  const params = { appId: app.id, channel: 'hms', profile: '_default', key: receiptKey };
  const req = Object.assign(new IncomingMessage(new Socket()), { params });
  const caller = await endpoint.admit(req);
  const bodies = Array.from({ length: 5 }, (_, n) => Buffer.from(fullReport(`turn${n}`)));
  const { signal } = new AbortController();
  await Promise.all(
    bodies.map((body) => endpoint.handle({ req, caller, body, json: () => null, signal: () => signal })),
  );
  isOver = true;
  expect(new Set(turns).size).toBe(bodies.length);
});

test('a megabyte of commas costs no more than to see that they are too many', async () => {
  const commas = Buffer.alloc(1024 * 1024, ',');
  const startedAt = processorMs();
  for (let i = 0; i < 20; i += 1) expect(() => checkReceiptEntries(commas)).toThrow(/10000 devices/);
  expect(processorMs() - startedAt).toBeLessThan(1500);
  expect(await send(await packed(','.repeat(1024 * 1024)))).toBe(413);
});

test('a large report counts as many callbacks, whatever it was packed into', async () => {
  // A second that does not pass, however slow the machine is.
  const now = Date.now();
  const still = await withProfile({ now: () => now });
  const report = await packed(' '.repeat(250 * 4096));
  const statuses: number[] = [];
  for (let i = 0; i < 5; i += 1) statuses.push(await send(report, still));
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  expect(await send({ body: '{}' }, still)).toBe(429);
});

test('reports wait for room in Redis before the pushes and mailboxes of others have to', async () => {
  const server = await startRedisServer();
  const redis = await openRedis({ url: server.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => {
    redis.disconnect();
    return server.close();
  });
  await fillMasters(redis, 0.77);
  const near = await withProfile({ redisUrl: server.url });
  const depth = async (): Promise<number> => (await near.queues.receipts.depth())['waiting'] ?? 0;
  const report = JSON.stringify({ statuses: [{ token: 'a', biTag: 'push1', status: 0 }] });
  expect([await send({ body: report }, near), await depth()]).toEqual([503, 0]);
  const push = await near.asMaster('POST', '/1.1/push', {
    body: { where: { installationId: 'a' }, data: { alert: 'b' } },
  });
  expect(push.status).toBe(200);
});
