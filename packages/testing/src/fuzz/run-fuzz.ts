import { Agent, request, type IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { collectGarbage } from './collect-garbage';
import { watchMemory } from './watch-memory';
import { expectUnhurt, watchOthers } from './watch-others';
import { hostileRequests, type FuzzTarget, type HostileRequest } from './hostile-requests';

export interface FuzzReport {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Bytes of heap that the second half of the requests left behind. */
  readonly heapGrowth: number;
  /** Bytes that the process held at some time beyond those at first; its own attacker included. */
  readonly peakGrowth: number;
}

/** Set FUZZ_SEED to the seed of a failure to see it again, and FUZZ_REQUESTS to look longer. */
export const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const FUZZ_REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 4000);

const AT_ONCE = 16;
const CHUNK = 200;
const PATIENCE_MS = 15_000;

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

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
    const before = heapUsed();
    await sendChunks({ target, agent, arbitrary, statuses }, half, 2 * half);
    expectUnhurt(await others.stop());
    return { statuses, heapGrowth: heapUsed() - before, peakGrowth: memory.stop() };
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
        const reply = await send(target, agent, next);
        judge(target, next, reply);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

function send(target: FuzzTarget, agent: Agent | false, hostile: HostileRequest): Promise<Reply> {
  const { url } = target;
  const { method, target: path, headers, body } = hostile;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
    const fail = (error: NodeJS.ErrnoException): void => {
      // A body that is refused before it was sent is cut off; its answer may be lost on the way.
      const isLarge = body !== undefined && body.byteLength > CUT_OFF_BYTES;
      if (isLarge && isCutOff(error)) resolve(CUT_OFF);
      // A kept connection may be closed while nobody uses it; on one of its own the request has to be answered.
      else if (req.reusedSocket && error.code === 'ECONNRESET') send(target, false, hostile).then(resolve, reject);
      else reject(new Error(describe(hostile, error.message)));
    };
    const req = request(options, (res) => void read(res).then(resolve, fail));
    req.setTimeout(PATIENCE_MS, () => req.destroy(new Error('no answer in time')));
    req.on('error', fail);
    req.end(body);
  });
}

const CUT_OFF_BYTES = 16 * 1024;
const CUT_OFF: Reply = { status: 0, type: '', text: '' };
const isCutOff = ({ code = '' }: NodeJS.ErrnoException): boolean => ['ECONNRESET', 'EPIPE'].includes(code);

async function read(res: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  const isPlain = res.headers['content-encoding'] === undefined;
  const text = isPlain ? Buffer.concat(chunks).toString() : '';
  return { status: res.statusCode ?? 0, type: res.headers['content-type'] ?? '', text };
}

function judge({ ownForm }: FuzzTarget, sent: HostileRequest, { status, type, text }: Reply): void {
  if (status < 400) return;
  const complain = (why: string): never => {
    throw new Error(describe(sent, `${why}: ${status} ${type} ${text.slice(0, 500)}`));
  };
  if (status >= 500) complain('a fault of the service');
  if (!type.startsWith('application/json')) complain('an error that is not JSON');
  if (sent.method === 'HEAD' || text === '' || ownForm?.test(sent.target)) return;
  const { code, error } = JSON.parse(text) as { code?: unknown; error?: unknown };
  if (!Number.isInteger(code) || typeof error !== 'string') complain('an error without code and text');
}

const describe = ({ method, target, headers, body }: HostileRequest, why: string): string =>
  `${why}\nFUZZ_SEED=${FUZZ_SEED}\n${method} ${target}\n${JSON.stringify(headers)}\n${body ? Buffer.from(body).toString().slice(0, 3000) : ''}`;

/** After a full collection. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
