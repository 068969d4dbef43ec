import { request } from 'node:http';
import { jsonCodec } from '@pushfleet/own-protocol';
import { WebSocket } from 'ws';
import type { DemoApp, Fleet } from '../fleet';

/** What a tenant does to the fleet; resolves with the statuses or close codes that it met. */
export interface Attack {
  readonly name: string;
  readonly run: (fleet: Fleet, app: DemoApp) => Promise<readonly number[]>;
}

const PATIENCE_MS = 60_000;

type Sent = readonly [method: string, path: string, body?: string];

/** With the master key, which may ask for more. A call that is cut off counts as 0. */
function send(fleet: Fleet, app: DemoApp, [method, path, body]: Sent): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master`, 'content-type': 'application/json' };
    const options = { method, headers, timeout: PATIENCE_MS };
    const call = request(`${fleet.url('ingress')}/1.1${path}`, options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    call.once('timeout', () => call.destroy()).once('error', () => resolve(0));
    call.end(body);
  });
}

const together = (fleet: Fleet, app: DemoApp, calls: readonly Sent[]): Promise<readonly number[]> =>
  Promise.all(calls.map((call) => send(fleet, app, call)));

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const batchOf = (requests: readonly object[]): string => JSON.stringify({ requests });
const save = (fields: object, installationId = 'attacker'): string =>
  JSON.stringify({ deviceType: 'android', installationId, ...fields });

/** Frames of a stranger or of a device, on connections of their own; resolves with how each connection ended. */
function frames(fleet: Fleet, connections: number, all: readonly (string | Buffer)[]): Promise<readonly number[]> {
  const one = (): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(fleet.url('gateway'), { perMessageDeflate: false });
      const timer = setTimeout(() => socket.terminate(), 4000);
      socket.once('open', () => all.forEach((frame) => socket.send(frame)));
      socket.on('error', () => undefined);
      socket.once('close', (code) => {
        clearTimeout(timer);
        resolve(code);
      });
    });
  return Promise.all(times(connections, one));
}

const loginFrame = (app: DemoApp, n: number): string =>
  jsonCodec.encode({ cmd: 'login', appId: app.id, installationId: `attacker-${n}` }) as string;

/** Each froze somebody else, filled Redis or ended a process before there was a limit against it. */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'queries that name a hundred thousand fields',
    async run(fleet, app) {
      const names = times(100_000, (n) => `f${n}`).join(',');
      const short = names.slice(0, 15_000);
      const asked = ['keys', 'order'].map((parameter) => `/installations?${parameter}=`);
      const batch = batchOf(asked.map((path) => ({ method: 'GET', path: `/1.1${path}${names}` })));
      return [
        ...(await together(
          fleet,
          app,
          times(3, () => ['POST', '/batch', batch]),
        )),
        ...(await together(
          fleet,
          app,
          times(20, (n) => ['GET', `${asked[n % 2]}${short}`]),
        )),
      ];
    },
  },
  {
    name: 'conditions of a thousand objects upon long lists',
    async run(fleet, app) {
      const list = times(7500, (n) => n);
      const saved = await together(
        fleet,
        app,
        times(30, (n) => ['POST', '/installations', save({ list }, `list-${n}`)]),
      );
      const where = JSON.stringify({ list: { $in: times(1000, (n) => ({ a: n })) } });
      const asked = `/installations?limit=10&where=${encodeURIComponent(where)}`;
      return [
        ...saved,
        ...(await together(
          fleet,
          app,
          times(6, () => ['GET', asked.slice(0, 15_000)]),
        )),
        ...(await together(
          fleet,
          app,
          times(3, () => ['POST', '/batch', batchOf([{ method: 'GET', path: `/1.1${asked}` }])]),
        )),
      ];
    },
  },
  {
    name: 'batches of twenty thousand elements, and of as many pushes as one may have',
    run(fleet, app) {
      const push = {
        method: 'POST',
        path: '/1.1/push',
        body: { where: { installationId: 'nobody' }, data: { alert: 'x' } },
      };
      const batches = [20_000, 20_000, 1000].map((size) => batchOf(times(size, () => push)));
      return together(
        fleet,
        app,
        batches.map((batch) => ['POST', '/batch', batch]),
      );
    },
  },
  {
    name: 'a thousand invented profiles, and pushes to everybody',
    async run(fleet, app) {
      const device = (n: number): object => ({ deviceProfile: `p${n}`, vendor: 'HMS', registrationId: `t${n}` });
      const saves = times(1000, (n) => ['POST', '/installations', save(device(n), `profile-${n}`)] as const);
      const saved: number[] = [];
      while (saves.length > 0) saved.push(...(await together(fleet, app, saves.splice(0, 50))));
      const push = JSON.stringify({ data: { alert: 'x' } });
      return [
        ...saved,
        ...(await together(
          fleet,
          app,
          times(5, () => ['POST', '/push', push]),
        )),
      ];
    },
  },
  {
    name: 'bodies of brackets, nested without end',
    run: (fleet, app) =>
      together(
        fleet,
        app,
        times(4, () => ['POST', '/batch', nested(2_000_000)]),
      ),
  },
  {
    name: 'installations with thousands of channels',
    run(fleet, app) {
      const channels = times(10_965, (n) => `c${n}`);
      return together(
        fleet,
        app,
        times(40, (n) => ['POST', '/installations', save({ channels: channels.map((name) => name + n) }, `many-${n}`)]),
      );
    },
  },
  {
    name: 'installations that are nested thousands of levels deep, and questions about them',
    async run(fleet, app) {
      const deep = save({}, 'deep').replace('}', `,"deep":${nested(4114)}}`);
      const saved = await together(
        fleet,
        app,
        times(20, () => ['POST', '/installations', deep]),
      );
      const found = await together(
        fleet,
        app,
        times(10, () => ['GET', '/installations?limit=10']),
      );
      return [...saved, ...found];
    },
  },
  {
    name: 'frames before and after a login, nested, large and many',
    async run(fleet, app) {
      const ends = await frames(fleet, 20, [`{"cmd":"data","ids":["a"],"msg":[{"a":${nested(4500)}}]}`]);
      const wide = JSON.stringify({ cmd: 'data', ids: times(5000, String), msg: times(5000, () => ({})) });
      const crowd = times(20, (n) => frames(fleet, 1, [loginFrame(app, n), ...times(20, () => wide)]));
      return [...ends, ...(await Promise.all(crowd)).flat()];
    },
  },
];
