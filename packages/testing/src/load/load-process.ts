import { Agent, request } from 'node:http';
import type { CallRound, LoadPlan, LoadReport, LoadRound, PlannedCall, SocketRound } from './load-plan';
import { sendFrames, textFrame } from './socket-frames';

/** Run as a process of its own by `startLoad`: it shall take nothing of the processor that somebody else wants. */

const CALL_PATIENCE_MS = 60_000;
const SOCKET_PATIENCE_MS = 4000;

type ReadyRound = (plan: LoadPlan, met: (status: number) => void) => Promise<unknown>;

/** All requests are made before the load begins. */
function ready(round: LoadRound): ReadyRound {
  return 'sockets' in round ? readySockets(round) : readyCalls(round);
}

function readySockets({ sockets }: SocketRound): ReadyRound {
  const made = sockets.map((frames) =>
    frames.flatMap(({ text, times = 1 }) => {
      const bytes = textFrame(text);
      return Array.from({ length: times }, () => bytes);
    }),
  );
  return ({ socketUrl }, met) =>
    Promise.all(made.map((frames) => sendFrames(socketUrl, frames, SOCKET_PATIENCE_MS).then(met)));
}

function readyCalls({ calls, width }: CallRound): ReadyRound {
  const all = calls.flatMap(({ body, times = 1, ...call }) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return Array.from({ length: times }, () => ({ ...call, bytes }));
  });
  return async (plan, met) => {
    const agent = new Agent({ keepAlive: true, maxSockets: width });
    const left = [...all].reverse();
    const one = async (): Promise<void> => {
      for (let next = left.pop(); next; next = left.pop()) met(await send(plan, agent, next));
    };
    await Promise.all(Array.from({ length: width }, one));
    agent.destroy();
  };
}

function send(
  { httpUrl, headers }: LoadPlan,
  agent: Agent,
  { method, path, bytes }: Omit<PlannedCall, 'body'> & { readonly bytes: Buffer | undefined },
): Promise<number> {
  return new Promise((resolve) => {
    const options = { method, agent, headers, timeout: CALL_PATIENCE_MS };
    const call = request(httpUrl + path, options, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
    });
    call.once('timeout', () => call.destroy()).once('error', () => resolve(0));
    call.end(bytes);
  });
}

async function play(plan: LoadPlan, rounds: readonly ReadyRound[]): Promise<LoadReport> {
  const report: Record<string, number> = {};
  const met = (status: number): void => void (report[status] = (report[status] ?? 0) + 1);
  const endsAt = performance.now() + plan.forMs;
  do {
    for (const round of rounds) await round(plan, met);
  } while (performance.now() < endsAt);
  return report;
}

let plan: LoadPlan | undefined;
let rounds: readonly ReadyRound[] = [];
process.on('message', (message: LoadPlan | 'begin') => {
  if (message !== 'begin') {
    plan = message;
    rounds = plan.rounds.map(ready);
    process.send?.('ready');
  } else if (plan) {
    void play(plan, rounds).then((report) => {
      process.send?.(report);
      process.disconnect();
    });
  }
});
