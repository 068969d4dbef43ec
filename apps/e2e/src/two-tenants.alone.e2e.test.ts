import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import {
  connectTestRedis,
  mastersOf,
  prepareLoad,
  ProcessorWait,
  Stalls,
  type LoadReport,
  type LoadRound,
} from '@pushfleet/testing';
import { Fleet, type DemoApp } from './fleet';
import { attacksBy } from './testing/attacks';
import { percentile, Witness, type Witnessed } from './testing/witness';

/**
 * What another tenant may cost beyond what it takes alone, on a machine of its own. The processes of the fleet share few
 * processors with each other and with whatever else runs there, and each has to wait for one so many times longer than it
 * works (`ProcessorWait`): that is the machine's doing, and a limit is longer by the same factor.
 */
const ACCEPT_MS = 100;
const DELIVERY_MS = 500;
/** On a processor between two rounds of an event loop, whatever the machine does besides. */
const STALL_MS = 100;
/** Every attack asked for a multiple of it. */
const MAX_GROWTH_BYTES = 300 * 1024 * 1024;
const MAX_REDIS_GROWTH_BYTES = 32 * 1024 * 1024;

const ALONE_MS = 1500;
const ATTACK_MS = 5000;
/** What was taken is worked on after its answer. */
const AFTERMATH_MS = 1500;
/** What the service does wrong happens every time; what the machine does, not. */
const ROUNDS = 5;
const PROCESSES = ['ingress', 'dispatcher', 'gateway', 'worker-hms', 'worker-own'];

const APP_ID = 'tenant-who-attacks-others';
const stalls = new Stalls();
let fleet: Fleet;
let attacker: DemoApp;
let witness: Witness;

beforeAll(async () => {
  const unlimited = { CONNECTIONS_PER_ADDRESS: '0', LOGINS_PER_ADDRESS: '0' };
  fleet = await Fleet.start(['hms', 'own'], { ...unlimited, ...stalls.settings });
  await fleet.run('gateway');
  attacker = await fleet.createApp({}, { id: APP_ID, key: 'k'.repeat(24), masterKey: 'm'.repeat(24) });
  witness = await Witness.start(fleet);
  // The first pushes open connections and warm code up.
  await witness.watch(delay(ALONE_MS));
});

afterAll(async () => {
  await witness?.close();
  await fleet.stop();
  stalls.close();
});

const pidOf = (process: string): number => fleet.service(process).pid;

const residentBytes = (process: string): number =>
  1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pidOf(process))]).toString());

async function redisBytes(): Promise<number> {
  const redis = await connectTestRedis(fleet.redis.url);
  const infos = await Promise.all(mastersOf(redis).map((node) => node.info('memory')));
  await redis.quit();
  return infos.reduce((sum, info) => sum + Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? NaN), 0);
}

interface Seen {
  readonly alone: Witnessed;
  readonly beside: Witnessed;
  readonly met: LoadReport;
  /** How many times longer than it worked the ingress had to wait for a processor. */
  readonly factor: number;
  readonly stalls: Readonly<Record<string, number>>;
}

async function seen(rounds: readonly LoadRound[]): Promise<Seen> {
  const load = await prepareLoad({
    rounds,
    forMs: ATTACK_MS,
    httpUrl: `${fleet.url('ingress')}/1.1`,
    socketUrl: fleet.url('gateway'),
    headers: {
      'x-lc-id': attacker.id,
      // With the master key one may ask for more.
      'x-lc-key': `${attacker.masterKey},master`,
      'content-type': 'application/json',
    },
  });
  const alone = await witness.watch(delay(ALONE_MS));
  for (const process of PROCESSES) stalls.worst(pidOf(process));
  const wait = new ProcessorWait(pidOf('ingress'));
  let met: LoadReport = {};
  const attack = load.run().then((report) => {
    met = report;
    return delay(AFTERMATH_MS);
  });
  const beside = await witness.watch(attack);
  const worst = PROCESSES.map((process) => [process, stalls.worst(pidOf(process))] as const);
  return { alone, beside, met, factor: wait.factor(), stalls: Object.fromEntries(worst) };
}

/** What another tenant suffered, in words; nothing, when it was served as if alone. */
function complaints({ alone, beside, factor, stalls: worst }: Seen): readonly string[] {
  const said: string[] = [];
  const compare = (what: string, [is, was]: readonly [number, number], allowance: number): void => {
    const most = was + factor * allowance;
    if (is > most) said.push(`${what}: ${is.toFixed(0)} ms, alone ${was.toFixed(0)}, at most ${most.toFixed(0)}`);
  };
  compare('accepts (p99)', [percentile(beside.accepts, 0.99), percentile(alone.accepts, 0.99)], ACCEPT_MS);
  compare('deliveries', [Math.max(...beside.deliveries), Math.max(...alone.deliveries)], DELIVERY_MS);
  for (const [process, ms] of Object.entries(worst))
    if (ms > STALL_MS) said.push(`${process} computed for ${ms} ms without a look at others`);
  return said;
}

test.each(attacksBy(APP_ID))(
  'beside $name another tenant is served as if alone',
  async ({ rounds }) => {
    const before = PROCESSES.map(residentBytes);
    const stored = await redisBytes();
    let suffered: readonly string[] = ['nothing was tried'];
    for (let round = 1; round <= ROUNDS && suffered.length > 0; round += 1) {
      const one = await seen(rounds);
      suffered = complaints(one);
      // Refusals are answers; a fault of the service is none.
      expect(one.met['500'] ?? one.met['4200'] ?? 0).toBe(0);
    }
    expect(suffered).toEqual([]);
    for (const [n, process] of PROCESSES.entries()) {
      const grown = residentBytes(process) - (before[n] ?? 0);
      expect([process, grown < MAX_GROWTH_BYTES]).toEqual([process, true]);
    }
    expect((await redisBytes()) - stored).toBeLessThan(MAX_REDIS_GROWTH_BYTES);
  },
  240_000,
);
