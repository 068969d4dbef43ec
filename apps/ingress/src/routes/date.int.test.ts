import { redisHarness } from '@pushfleet/testing';
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

describe('401', () => {
  it('not to strangers', async () => {
    expect(await ingress.call('GET', '/1.1/date', { key: 'wrong' })).toMatchObject({ status: 401 });
  });
});
