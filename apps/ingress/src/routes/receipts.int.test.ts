import { createHmac } from 'node:crypto';
import { keysIn, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
const receiptKey = unique('receipt');
/** Callbacks of one profile that are taken. */
const PER_SECOND = 1000;
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
  const value = { appId: '1', appSecret: 'secret', packageName: 'com.example' };
  await ingress.store.profiles.put({ app: ingress.app.id, channel: 'mi', profile: '_default' }, { value, receiptKey });
  const signed = { appId: '1', appSecret: 'secret', receiptUser: 'pushuser', receiptSecret: 'receipt secret' };
  await ingress.store.profiles.put(
    { app: ingress.app.id, channel: 'hms', profile: '_default' },
    { value: signed, receiptKey },
  );
});

const report = (entries: object): string => new URLSearchParams({ data: JSON.stringify(entries) }).toString();
const DELIVERED = { m1: { type: 1, targets: 'r1,r2', param: 'push1', timestamp: 1 } };

const call = ({
  channel = 'mi',
  app = ingress.app.id,
  profile = '_default',
  key = receiptKey,
  body = '',
  headers = {},
  url = ingress.url,
} = {}) =>
  fetch(`${url}/push/v1/callback/${channel}/${app}/${profile}/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
const waiting = async () => (await ingress.queues.receipts.depth())['waiting'] ?? 0;

describe('200', () => {
  it('a report is queued and answered in the vendor’s manner', async () => {
    const before = await waiting();
    const response = await call({ body: report(DELIVERED) });
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(await waiting()).toBe(before + 1);
  });

  it('the same report sent again while the first waits is queued once', async () => {
    const body = report({ m2: { type: 2, targets: 'r1', param: 'push1' } });
    await call({ body });
    const before = await waiting();
    expect((await call({ body })).status).toBe(200);
    expect(await waiting()).toBe(before);
  });

  it('nonsense is answered and queues nothing', async () => {
    const before = await waiting();
    expect((await call({ body: 'not a report' })).status).toBe(200);
    expect(await waiting()).toBe(before);
  });
});

describe('what is counted', () => {
  const counted = async (outcome: string): Promise<number> => {
    const line = new RegExp(`callbacks_total\\{[^}]*channel="mi",outcome="${outcome}"[^}]*\\} (\\d+)`);
    return Number(line.exec(await ingress.metrics.text())?.[1] ?? 0);
  };

  it('garbage and reports, each by itself', async () => {
    const [queued, nothing] = [await counted('queued'), await counted('nothing')];
    await call({ body: report({ m3: { type: 1, targets: 'r9', param: 'push9' } }) });
    await call({ body: '\u0000 garbage' });
    await call({ body: report({ m4: { type: 'constructor' } }) });
    expect([await counted('queued'), await counted('nothing')]).toEqual([queued + 1, nothing + 2]);
  });
});

describe('a long report', () => {
  it('is split into jobs of bounded size, and names each device once', async () => {
    const ids = Array.from({ length: 1200 }, (_, n) => `id-${n}`);
    const before = await waiting();
    const body = report({ long: { type: 1, targets: [...ids, ...ids].join(','), param: 'push7' } });
    expect((await call({ body })).status).toBe(200);
    expect(await waiting()).toBe(before + 3);
  });

  it('does not grow in Redis, whatever it repeats', async () => {
    const targets = Array.from({ length: 4500 }, (_, n) => `${n}`).join(',');
    const before = await storedBytes();
    const entries = {
      huge: { type: 1, targets, param: 'p'.repeat(900_000) },
      odd: { type: 'x'.repeat(9000), targets },
    };
    expect((await call({ body: JSON.stringify(entries) })).status).toBe(200);
    expect((await call({ body: report({ gone: { type: 16, targets, param: 'p'.repeat(200) } }) })).status).toBe(200);
    expect((await storedBytes()) - before).toBeLessThan(4 * 1024 * 1024);
  });

  async function storedBytes(): Promise<number> {
    const redis = await harness.open();
    const keys = await keysIn(redis, `${harness.namespace}:*receipts*`);
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  }

  it.each([
    ['devices', 10_001, 0],
    ['commas', 0, 90_000],
  ])('of too many %s is refused by the limit', async (_, devices, commas) => {
    const targets = Array.from({ length: devices }, (_, n) => `${n}`).join(',');
    const before = await waiting();
    const response = await call({ body: JSON.stringify({ m: { type: 1, targets: targets + ','.repeat(commas) } }) });
    expect([response.status, await response.json()]).toEqual([413, errorBody(413, /10000 devices/)]);
    expect(await waiting()).toBe(before);
  });
});

describe('a signature', () => {
  const bodyOf = (token: string): string => JSON.stringify({ statuses: [{ biTag: 'push1', token, status: 0 }] });
  const signed = (at: number | string, nonce = unique('nonce')) => {
    const value = createHmac('sha256', 'receipt secret').update(`${at}${nonce}pushuser`).digest('base64');
    return { 'x-huawei-callback-id': `timestamp=${at}; nonce=${nonce}; value=${value}` };
  };

  it('is good for one body, as often as that is sent', async () => {
    const headers = signed(Date.now());
    const statuses: number[] = [];
    for (const token of ['t1', 't1', 't2'])
      statuses.push((await call({ channel: 'hms', headers, body: bodyOf(token) })).status);
    expect(statuses).toEqual([200, 200, 401]);
  });

  it.each([
    ['an hour ago', Date.now() - 3_600_000],
    ['in an hour', Date.now() + 3_600_000],
    ['at no time', 'now'],
  ])('of %s is refused', async (_, at) => {
    expect((await call({ channel: 'hms', headers: signed(at), body: bodyOf('t3') })).status).toBe(401);
  });
});

describe('413', () => {
  it('a report without end', async () => {
    expect((await call({ body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413);
  });
});

describe('404', () => {
  it.each([
    ['key', { key: 'wrong' }],
    ['app', { app: 'nobody' }],
    ['profile', { profile: 'other' }],
    ['channel', { channel: 'nobody' }],
    ['channel that objects inherit', { channel: 'constructor' }],
  ])('a wrong %s', async (_, wrong) => {
    const before = await waiting();
    const response = await call({ ...wrong, body: report(DELIVERED) });
    expect([response.status, await response.json()]).toEqual([404, errorBody(404, /no such callback/)]);
    expect(await waiting()).toBe(before);
  });
});

describe('429', () => {
  it('a flood of one profile is told to come back, and does not reach the queue', async () => {
    // A second that does not pass, however slow the machine is.
    const now = Date.now();
    const { url } = await openIngress(harness, { now: () => now });
    const statuses: number[] = [];
    const flood = async (): Promise<void> => {
      while (statuses.length < PER_SECOND + 50) {
        const { status } = await call({ url, body: '{}' });
        statuses.push(status);
      }
    };
    await Promise.all(Array.from({ length: 50 }, flood));
    expect(statuses.filter((status) => status === 200)).toHaveLength(PER_SECOND);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
