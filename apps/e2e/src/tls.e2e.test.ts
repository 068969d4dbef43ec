import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { binaryCodec, type Command } from '@pushfleet/own-protocol';
import {
  freePort,
  openAuthority,
  SECRET_KEY,
  startRedisServer,
  startService,
  until,
  type Authority,
  type RedisServer,
  type Service,
} from '@pushfleet/testing';
import { WebSocket } from 'ws';
import type { DemoApp } from './fleet';

const ADMIN_TOKEN = 'an admin token';

let authority: Authority;
let redis: RedisServer;
let service: Service;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  [authority, redis] = await Promise.all([openAuthority(), startRedisServer()]);
  const { certFile, keyFile } = await authority.issue('door');
  const port = String(await freePort());
  settings = {
    ...{ REDIS_URL: redis.url, SECRET_KEY, ADMIN_TOKEN, CHANNEL: 'own', LOG_LEVEL: 'warn' },
    ...{ INGRESS_PORT: port, GATEWAY_PORT: port, CONSOLE_PORT: '0', USER_INFO_PORT: '0' },
    ...{ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
  };
  service = await startService('fleet', settings);
});

afterAll(async () => {
  await service?.stop();
  await Promise.all([redis?.close(), authority?.close()]);
});

interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Finding {
  readonly check: string;
}

/** A POST with a body, a GET without. */
async function call<T>(url: string, { headers = {}, body }: Call = {}): Promise<T> {
  const sent = request(url, {
    ca: readFileSync(authority.caFile),
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return (await json(answer)) as T;
}

test('every public port speaks TLS, and a device gets its push by wss:// at the address of senders', async () => {
  const { ingress = '', gateway, console: admin = '', userInfo = '' } = service.urls;
  expect(gateway).toBe(ingress.replace('https:', 'wss:'));
  expect(await call(`${userInfo}/openapi.json`)).toMatchObject({
    servers: [{ url: expect.stringMatching(/^https:/) }, expect.anything()],
  });
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const app = await call<DemoApp>(`${admin}/api/v1/apps`, {
    ...{ headers: { authorization }, body: { name: 'demo', edition: 'commercial' } },
  });
  const { checks } = await call<{ checks: readonly Finding[] }>(`${admin}/api/v1/doctor`, {
    headers: { authorization },
  });
  expect(checks.find(({ check }) => check === 'certificates')).toMatchObject({
    ...{ status: 'warning', finding: expect.stringMatching(/^runs out at /) },
  });
  const headers = { 'x-lc-id': app.id, 'x-lc-key': app.key };
  const installation = { deviceType: 'android', installationId: 'one' };
  await call(`${ingress}/1.1/installations`, { headers, body: installation });
  const { server } = await call<{ server: string }>(`${ingress}/v1/route?appId=${app.id}`);
  expect(server).toBe(gateway);

  const heard: Command[] = [];
  const device = new WebSocket(server, ['lc.protobuf2.3'], { ca: readFileSync(authority.caFile) });
  device.on('message', (frame: Buffer) => heard.push(binaryCodec.decode(frame)));
  await once(device, 'open');
  device.send(binaryCodec.encode({ cmd: 'login', appId: app.id, installationId: 'one' }));
  await until(() => heard.some(({ cmd }) => cmd === 'loggedin'));
  const push = { where: { installationId: 'one' }, data: { alert: 'Hello' } };
  const { objectId } = await call<{ objectId: string }>(`${ingress}/1.1/push`, { headers, body: push });
  await until(() => heard.some(({ messages }) => messages?.some(({ id }) => id === objectId)));
  device.terminate();
});

test('a certificate that has run out ends it with 1 and one line, however many ports would show it', async () => {
  const { certFile, keyFile } = await authority.issue('expired', { days: -1 });
  const started = startService('fleet', { ...settings, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
  const message = await started.then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(message.trim().split('\n')).toEqual([
    'fleet did not start: Error: exit 1',
    expect.stringMatching(/^TLS_CERT_FILE: the certificate in .*expired.crt holds from .* to .*: renew it$/),
  ]);
});
