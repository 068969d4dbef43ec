import { redisHarness, unique } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
const receiptKey = unique('receipt');
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
  const value = { appId: '1', appSecret: 'secret', packageName: 'com.example' };
  await ingress.store.profiles.put({ app: ingress.app.id, channel: 'mi', profile: '_default' }, { value, receiptKey });
});

const report = (entries: object): string => new URLSearchParams({ data: JSON.stringify(entries) }).toString();
const DELIVERED = { m1: { type: 1, targets: 'r1,r2', param: 'push1', timestamp: 1 } };

const call = ({ channel = 'mi', app = ingress.app.id, profile = '_default', key = receiptKey, body = '' } = {}) =>
  fetch(`${ingress.url}/push/v1/callback/${channel}/${app}/${profile}/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
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

describe('429', () => {
  it('a flood of one profile is told to come back, and does not reach the queue', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 5 && !statuses.has(429); round += 1) {
      const flood = Array.from({ length: 1500 }, () => call({ body: '{}' }).then(({ status }) => status));
      for (const status of await Promise.all(flood)) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([200, 429]);
  }, 60_000);
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

describe('413', () => {
  it('a report without end', async () => {
    expect((await call({ body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413);
  });
});
