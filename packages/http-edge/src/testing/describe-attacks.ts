/// <reference types="jest" />
import { freePort, startRedisProcess, until, type RedisServer } from '@pushfleet/testing';
import { Redis } from 'ioredis';
import { type Dialect } from '../dialect';
import { HOSTILE_REQUESTS, rightRequest, strangersRequest, type Requests } from './hostile-requests';
import { openClient, type Client } from './open-client';

export interface RunningService extends Requests {
  readonly url: string;
  /** Reasons of refusals, as its metrics count them. */
  refused(): Promise<readonly string[]>;
}

export interface ServiceOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Another Redis than the shared one. */
  readonly redisUrl?: string;
}

export interface AttackedService {
  readonly dialect: Dialect;
  /** What somebody unknown is told. */
  readonly strangerStatus: number;
  /** Closed after the file's tests. */
  open(options: ServiceOptions): Promise<RunningService>;
}

/** Limits that a test can wait for. */
const ENV = { HTTP_HEADERS_TIMEOUT_MS: '500', HTTP_BODY_GRACE_MS: '500', HTTP_BODY_BYTES_PER_SECOND: '65536' };
const CROWD = 40;
/** Anybody may ask for it; so many are more than the buffers of two sockets hold. */
const LONGEST_ANSWER = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n';
const ANSWERS_UNREAD = 20;
/** Of one node; what follows is the port of its bus. */
const CLUSTER = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port'];

const portOf = ({ url }: RunningService): number => Number(new URL(url).port);
const statusIn = (text: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? NaN);

/** The body of an answer, which is an error of the service's own whatever went wrong. */
function errorIn(text: string): unknown {
  const [, body = ''] = text.split('\r\n\r\n');
  return (JSON.parse(body) as { readonly error?: unknown }).error;
}

/** The limits are written once: every service has to stand the same requests, in words of its own. */
export function describeAttacks({ dialect, strangerStatus, open }: AttackedService): void {
  const statusOf = (problem: string): number => dialect.answer({ problem, message: '' }).status;
  let service: RunningService;
  const clients: Client[] = [];

  async function send(text: string, to = service): Promise<Client> {
    const client = await openClient(portOf(to), text);
    clients.push(client);
    return client;
  }

  beforeAll(async () => {
    service = await open({ env: ENV });
  });
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
  });

  /** Somebody else is served as if nothing was. */
  async function expectServed(): Promise<void> {
    const { received } = await send(rightRequest(service));
    await until(() => received() !== '');
    expect(statusIn(received())).toBe(200);
  }

  describe('hostile requests', () => {
    it.each(HOSTILE_REQUESTS.map((request) => [request.what, request] as const))('%s', async (_, request) => {
      const { text, drip, problem, isWrite, isEnded } = request;
      // A service without bodies answers at once and lets the body be.
      const isTaken = problem !== undefined && (isWrite !== true || service.write !== undefined);
      const { socket, received, ended } = await send(text(service));
      const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), 50);
      await until(() => received() !== '');
      if (isEnded) await ended;
      clearInterval(dripping);
      expect(statusIn(received())).toBe(isTaken ? statusOf(problem) : 200);
      if (isTaken) expect(errorIn(received())).toEqual(expect.anything());
      if (isTaken) expect(await service.refused()).toContain(problem);
      if (problem === 'method-unknown') expect(received()).toMatch(/^allow: [A-Z, ]+\r$/im);
      await expectServed();
    });

    it('whoever asks and reads no answer is cut off', async () => {
      const running = await open({ env: ENV });
      const { socket, ended } = await send('', running);
      socket.pause();
      socket.write(LONGEST_ANSWER.repeat(ANSWERS_UNREAD));
      await until(async () => (await running.refused()).includes('too-slow'), { timeoutMs: 20_000 });
      socket.resume();
      await ended;
    });

    it('silence is ended, too', async () => {
      const { ended } = await send('');
      await ended;
    });

    it('no request was a defect', async () => {
      expect(await service.refused()).not.toContain('defect');
    });
  });

  describe('before the caller is known', () => {
    it('a stranger is refused without a body, and cut off', async () => {
      const { received, ended } = await send(strangersRequest(service));
      await ended;
      expect(statusIn(received())).toBe(strangerStatus);
    });

    it('a body that waits for a go-ahead is not asked for', async () => {
      const { received } = await send(strangersRequest(service, { expect: '100-continue' }));
      await until(() => received() !== '');
      expect(statusIn(received())).toBe(strangerStatus);
    });

    it('a crowd that asks for nothing keeps nobody out', async () => {
      service = await open({ env: { ...ENV, HTTP_HEADERS_TIMEOUT_MS: '60000', HTTP_CONNECTIONS: String(CROWD) } });
      for (let i = 0; i < 2 * CROWD; i += 1) await send('GET /half HTTP/1.1\r\nHo');
      await expectServed();
      expect(await service.refused()).toContain('connections');
    });
  });

  describe('Redis', () => {
    const withRedis = async (
      use: (server: RedisServer, expectAway: () => Promise<void>) => Promise<void>,
      bus?: number,
    ) => {
      const server = await startRedisProcess({ args: bus === undefined ? [] : [...CLUSTER, String(bus)] });
      try {
        if (bus !== undefined) await giveSlots(server);
        const running = await open({ env: ENV, redisUrl: server.url });
        await use(server, () => expectAway(running));
      } finally {
        await server.close();
      }
    };

    async function expectAway(running: RunningService): Promise<void> {
      const startedAt = performance.now();
      const { received } = await send(rightRequest(running), running);
      await until(() => received() !== '', { timeoutMs: 10_000 });
      expect([statusIn(received()), performance.now() - startedAt < 8000]).toEqual([statusOf('unavailable'), true]);
      const reasons = await running.refused();
      expect(reasons).not.toContain('defect');
      expect(reasons.some((reason) => reason === 'unavailable' || reason === 'deadline')).toBe(true);
    }

    it('that is gone is told as such', () =>
      withRedis(async (server, expectRefused) => {
        await server.kill();
        await expectRefused();
      }));

    it('that hangs is told in time', () =>
      withRedis(async (server, expectRefused) => {
        server.hang();
        await expectRefused();
        server.goOn();
      }));

    it('whose cluster serves no slot is told as such', async () =>
      withRedis(
        async (server, expectRefused) => {
          await ask(server, (redis) => redis.call('CLUSTER', 'DELSLOTSRANGE', '0', '16383'));
          await expectRefused();
        },
        await freePort(),
      ));
  });
}

async function ask<T>({ url }: RedisServer, what: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await what(redis);
  } finally {
    redis.disconnect();
  }
}

/** A cluster of one node. */
const giveSlots = (server: RedisServer): Promise<void> =>
  ask(server, async (redis) => {
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(async () => /cluster_state:ok/.test(String(await redis.call('CLUSTER', 'INFO'))));
  });

/** Reasons that a text of metrics counts. */
export const reasonsIn = (metrics: string): readonly string[] =>
  [...metrics.matchAll(/^pushfleet_http_refusals_total\{[^}]*reason="([^"]+)"/gm)].map(([, reason = '']) => reason);
