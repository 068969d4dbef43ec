import { startRedisProcess, until, type RedisServer } from '@pushfleet/testing';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { MasterWatch } from './master-watch';

/** Says what a sentinel would say; the other two are masters. */
let sentinel: RedisServer;
let old: RedisServer;
let next: RedisServer;
let voice: Redis;
let watch: MasterWatch;
let tries = 0;

beforeAll(async () => {
  [sentinel, old, next] = await Promise.all([startRedisProcess(), startRedisProcess(), startRedisProcess()]);
  voice = new Redis(sentinel.url);
});
afterEach(() => watch.close());
afterAll(async () => {
  voice.disconnect();
  await Promise.all([sentinel, old, next].map((server) => server.close()));
});

const portOf = ({ url }: RedisServer): number => Number(new URL(url).port);

async function connectedTo(host: string, server: RedisServer): Promise<Socket> {
  const stream = connect({ host, port: portOf(server) });
  watch.add(stream);
  await once(stream, 'connect');
  return stream;
}

const watchOf = (onUnheard: (error: Error) => void): MasterWatch =>
  new MasterWatch(
    { url: '' },
    {
      sentinels: [{ host: '127.0.0.1', port: portOf(sentinel) }],
      ...{ master: 'main', username: '', password: '', db: 0 },
    },
    { retryStrategy: () => (tries += 1), onUnheard },
  );

it.each(['127.0.0.1', 'localhost'])(
  'every stream ends that is not at the new master, and none that is: a master by the name of %s',
  async (host) => {
    watch = watchOf((error) => {
      throw error;
    });
    watch.start();
    await until(async () => Number((await voice.pubsub('NUMSUB', '+switch-master'))[1]) === 1);
    const stale = await connectedTo(host, old);
    const there = await connectedTo(host, next);
    await voice.publish('+switch-master', `another ${host} ${portOf(old)} ${host} 1`);
    await voice.publish('+switch-master', `main ${host} ${portOf(old)} ${host} ${portOf(next)}`);
    await until(() => stale.destroyed);
    expect(there.destroyed).toBe(false);
    await voice.publish('+switch-master', `main ${host} ${portOf(next)} ${host} ${portOf(old)}`);
    await until(() => there.destroyed);
    watch.close();
    await until(async () => Number((await voice.pubsub('NUMSUB', '+switch-master'))[1]) === 0);
  },
);

it('a password that is changed is told of once, and not that the watch is closed', async () => {
  const told: string[] = [];
  tries = 0;
  watch = watchOf(({ message }) => told.push(message));
  await voice.call('ACL', 'SETUSER', 'default', 'resetpass', '>sesame');
  watch.start();
  try {
    await until(() => tries > 3);
    expect(told).toEqual([
      expect.stringMatching(`^the sentinel at 127.0.0.1:${portOf(sentinel)} cannot be listened to: NOAUTH`),
    ]);
  } finally {
    await voice.call('ACL', 'SETUSER', 'default', 'nopass');
  }
  await until(async () => Number((await voice.pubsub('NUMSUB', '+switch-master'))[1]) === 1);
  watch.close();
  expect(told).toHaveLength(1);
});
