import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { collectGarbage } from './collect-garbage';
import { FUZZ_SEED } from './fuzz-seed';
import { watchMemory } from './watch-memory';
import { expectUnhurt, watchOthers } from './watch-others';
import { hostileRequests, type FuzzTarget, type HostileRequest } from './hostile-requests';
import { describeHostile, sendHostile, type Reply } from './send-hostile';

export interface FuzzReport {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Bytes of heap that the second half of the requests left behind. */
  readonly heapGrowth: number;
  /** Bytes that the process held at some time beyond those at first; its own attacker included. */
  readonly peakGrowth: number;
}

/** Set FUZZ_REQUESTS to look longer. */
const FUZZ_REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 4000);

const AT_ONCE = 16;
const CHUNK = 200;
const COLLECTIONS = 4;
const TRIES = 40;
const PAUSE_MS = 500;

/**
 * Sends hostile requests and throws at the first that is not answered in time, is answered as a fault of the service, or
 * is refused without `{code, error}` in JSON; and when somebody else had to wait meanwhile.
 */
export async function runFuzz(target: FuzzTarget): Promise<FuzzReport> {
  const statuses = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const arbitrary = hostileRequests(target);
  const half = Math.ceil(FUZZ_REQUESTS / 2 / CHUNK);
  const others = await watchOthers(target.witness);
  const memory = watchMemory();
  try {
    await sendChunks({ target, agent, arbitrary, statuses }, 0, half);
    const before = await heapUsed();
    await sendChunks({ target, agent, arbitrary, statuses }, half, 2 * half);
    expectUnhurt(await others.stop());
    return { statuses, heapGrowth: (await heapUsed()) - before, peakGrowth: memory.stop() };
  } finally {
    agent.destroy();
    memory.stop();
    await others.stop();
  }
}

interface Run {
  readonly target: FuzzTarget;
  readonly agent: Agent;
  readonly arbitrary: fc.Arbitrary<HostileRequest>;
  readonly statuses: Map<number, number>;
}

async function sendChunks({ target, agent, arbitrary, statuses }: Run, from: number, to: number): Promise<void> {
  for (let chunk = from; chunk < to; chunk += 1) {
    const requests = fc.sample(arbitrary, { numRuns: CHUNK, seed: FUZZ_SEED + chunk });
    const work = async (): Promise<void> => {
      for (let next = requests.pop(); next; next = requests.pop()) {
        const reply = await replyTo(next, { target, agent });
        judge(target, next, reply);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

/** A machine that keeps Redis waiting for a processor makes a service ask for patience at times; what a request does, it does again. */
async function replyTo(
  sent: HostileRequest,
  { target: { url }, agent }: Pick<Run, 'target' | 'agent'>,
): Promise<Reply> {
  let reply = await sendHostile(url, agent, sent);
  for (let tries = 1; reply.isPassing && tries < TRIES; tries += 1) {
    await delay(PAUSE_MS);
    reply = await sendHostile(url, agent, sent);
  }
  return reply;
}

function judge({ ownForm }: FuzzTarget, sent: HostileRequest, { status, type, text }: Reply): void {
  if (status < 400) return;
  const complain = (why: string): never => {
    throw new Error(describeHostile(sent, `${why}: ${status} ${type} ${text.slice(0, 500)}`));
  };
  if (status >= 500) complain('a fault of the service');
  if (!type.startsWith('application/json')) complain('an error that is not JSON');
  if (sent.method === 'HEAD' || text === '' || ownForm?.test(sent.target)) return;
  const { code, error } = JSON.parse(text) as { code?: unknown; error?: unknown };
  if (!Number.isInteger(code) || typeof error !== 'string') complain('an error without code and text');
}

/** What stays: some objects are free only after what watched them was told, which takes another turn and collection. */
async function heapUsed(): Promise<number> {
  for (let n = 0; n < COLLECTIONS; n += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}
