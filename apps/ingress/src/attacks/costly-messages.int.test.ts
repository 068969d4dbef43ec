import { setTimeout as delay } from 'node:timers/promises';
import { anApp, redisHarness, unique } from '@pushfleet/testing';
import { openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
beforeAll(async () => {
  ingress = await openIngress(harness);
});

const RECEIVERS = Array.from({ length: 500 }, (_, i) => `client-${i}`);
const message = { from_client: 'x', offline_clients: RECEIVERS, message: 'hi', push_data: { alert: 'hi' } };
const sendMessage = () => ingress.asMaster('POST', '/1.2/rtm/conversations/all/offline-messages', { body: message });

async function anotherApp() {
  const app = { ...anApp(), hybrid: false };
  await ingress.store.apps.create(app);
  const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master` };
  const body = { where: { installationId: unique('nobody') }, data: { alert: 'hi' } };
  return { push: () => ingress.call('POST', '/1.1/push', { headers, body }) };
}

/** Thirty messages at once; how many of them were answered so far. */
function storm() {
  let answered = 0;
  const all = Array.from({ length: 30 }, async () => {
    expect(await sendMessage()).toMatchObject({ status: 200, body: { unreachable: 500 } });
    answered += 1;
  });
  return { answered: () => answered, over: Promise.all(all) };
}

test('messages to many of one app let a push of another through between two of them', async () => {
  const { push } = await anotherApp();
  // From then on connections are open, and what both need is known.
  await Promise.all([storm().over, push()]);
  const { answered, over } = storm();
  // All of them are under way.
  await delay(20);
  expect(await push()).toMatchObject({ status: 200 });
  expect(answered()).toBeLessThan(15);
  await over;
});
