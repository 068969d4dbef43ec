import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { connectTestRedis, mastersOf } from '@pushfleet/testing';
import { Fleet, type DemoApp } from './fleet';
import { ATTACKS } from './testing/attacks';
import { Witness, type Slowest } from './testing/witness';

/** Beyond what it takes alone on the same machine: the attacker's own work has a share of few processors. */
const ALLOWANCE: Slowest = { acceptMs: 2500, deliveryMs: 6000 };
const FACTOR = 4;
/** Every attack asked for a multiple of it. */
const MAX_GROWTH_BYTES = 300 * 1024 * 1024;
const MAX_REDIS_GROWTH_BYTES = 32 * 1024 * 1024;
/** What was taken is worked on after its answer. */
const AFTERMATH_MS = 2500;
const PROCESSES = ['ingress', 'dispatcher', 'gateway', 'worker-hms', 'worker-own'];

let fleet: Fleet;
let attacker: DemoApp;
let witness: Witness;
let alone: Slowest;

beforeAll(async () => {
  fleet = await Fleet.start(['hms', 'own'], { CONNECTIONS_PER_ADDRESS: '0', LOGINS_PER_ADDRESS: '0' });
  await fleet.run('gateway');
  attacker = await fleet.createApp();
  witness = await Witness.start(fleet);
  // The first pushes open connections and warm code up.
  await witness.watch(Promise.resolve());
  alone = await witness.watch(Promise.resolve(), 8);
}, 90_000);

afterAll(async () => {
  await witness.close();
  await fleet.stop();
}, 60_000);

const residentBytes = (process: string): number =>
  1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(fleet.service(process).pid)]).toString());

async function redisBytes(): Promise<number> {
  const redis = await connectTestRedis(fleet.redis.url);
  const infos = await Promise.all(mastersOf(redis).map((node) => node.info('memory')));
  await redis.quit();
  return infos.reduce((sum, info) => sum + Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? NaN), 0);
}

test.each(ATTACKS)(
  'beside $name another tenant is served as if alone',
  async ({ run }) => {
    const before = PROCESSES.map(residentBytes);
    const stored = await redisBytes();
    const met: number[] = [];
    const attack = run(fleet, attacker).then((answers) => {
      met.push(...answers);
      return delay(AFTERMATH_MS);
    });
    const attacked = await witness.watch(attack);
    expect(attacked.acceptMs).toBeLessThan(FACTOR * alone.acceptMs + ALLOWANCE.acceptMs);
    expect(attacked.deliveryMs).toBeLessThan(FACTOR * alone.deliveryMs + ALLOWANCE.deliveryMs);
    // Refusals are answers; a fault of the service is none.
    expect(met.filter((status) => status === 500 || status === 4200)).toEqual([]);
    for (const [n, process] of PROCESSES.entries()) {
      const grown = residentBytes(process) - (before[n] ?? 0);
      expect([process, grown < MAX_GROWTH_BYTES]).toEqual([process, true]);
    }
    expect((await redisBytes()) - stored).toBeLessThan(MAX_REDIS_GROWTH_BYTES);
  },
  60_000,
);
