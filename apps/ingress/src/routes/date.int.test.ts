import { fakeClock, redisHarness } from '@pushfleet/testing';
import { openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

describe('200', () => {
  it('tells the time of the server', async () => {
    const reply = await ingress.call('GET', '/1.1/date?');
    expect(reply).toMatchObject({ status: 200, body: { __type: 'Date', iso: expect.stringMatching(/^2.*Z$/) } });
  });
});

describe('strangers', () => {
  it('are told the time too, whatever key they bring', async () => {
    expect((await fetch(`${ingress.url}/1.1/date`)).status).toBe(200);
    expect(await ingress.call('GET', '/1.1/date', { key: 'wrong' })).toMatchObject({ status: 200 });
  });

  it('are limited by their address', async () => {
    // Time stands still: a busy machine asks no faster than the limit refills.
    const behindProxy = await openIngress(harness, { env: { TRUSTED_PROXY_HOPS: '1' }, now: fakeClock().now });
    const ask = async (address: string): Promise<number> =>
      (await fetch(`${behindProxy.url}/1.1/date`, { headers: { 'x-forwarded-for': address } })).status;
    const statuses = new Set<number>();
    for (let i = 0; i < 2000 && !statuses.has(429); i += 50)
      for (const status of await Promise.all(Array.from({ length: 50 }, () => ask('192.0.2.1')))) statuses.add(status);
    expect([...statuses].sort()).toEqual([200, 429]);
    expect(await ask('192.0.2.2')).toBe(200);
  });
});
