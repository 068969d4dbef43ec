import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '@pushfleet/testing';
import { WebSocket } from 'ws';
import { Fleet, type DemoApp } from './fleet';
import { expectGreeted } from './testing/expect-greeted';

let fleet: Fleet;
let app: DemoApp;
let port: string;

beforeAll(async () => {
  port = String(await freePort());
  const settings = { INGRESS_PORT: port, GATEWAY_PORT: port };
  ({ fleet, app } = await Fleet.withApp(['own'], settings, { shape: 'compact' }));
});

afterAll(() => fleet.stop());

/** A push whose body is sent when the returned function is called. */
function pushBy(body: unknown, more: Readonly<Record<string, string>> = {}) {
  const sent = JSON.stringify(body);
  const push = request(`http://127.0.0.1:${port}/1.1/push`, {
    method: 'POST',
    headers: {
      ...{ 'x-lc-id': app.id, 'x-lc-key': app.key, 'content-type': 'application/json' },
      ...{ 'content-length': Buffer.byteLength(sent), ...more },
    },
  });
  return {
    push,
    send: async (): Promise<unknown> => {
      push.end(sent);
      const [answer] = (await once(push, 'response')) as [IncomingMessage];
      return JSON.parse(await text(answer)) as unknown;
    },
  };
}

const greeting = { where: { installationId: 'one' }, data: { alert: 'Hello' } };

test('push API, router and gateway are one address to the published client', async () => {
  const address = `ws://127.0.0.1:${port}`;
  expect(fleet.url('fleet', 'gateway')).toBe(address);
  const route = await (await fetch(`http://127.0.0.1:${port}/v1/route?appId=${app.id}`)).json();
  expect(route).toMatchObject({ server: address, secondary: address });
  await expectGreeted(fleet, app, 'one');
});

test('a push by a client that offers HTTP/2 is taken as any other', async () => {
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  expect(await pushBy(greeting, offer).send()).toMatchObject({ objectId: expect.any(String) });
});

test('told to stop, it lets devices go, answers what it was asked, and leaves with 0', async () => {
  const device = new WebSocket(`ws://127.0.0.1:${port}`, ['lc.protobuf2.3']);
  await once(device, 'open');
  const { push, send } = pushBy(greeting, { expect: '100-continue' });
  push.flushHeaders();
  await once(push, 'continue');
  const stopped = fleet.service('fleet').stop();
  await once(device, 'close');
  expect(await send()).toMatchObject({ objectId: expect.any(String) });
  expect(await stopped).toBe(0);
});
