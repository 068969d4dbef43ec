import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expectUnhurt, watchOthers } from './watch-others';

export interface SlowTarget {
  readonly url: string;
  /** The head of a request as far as it shall come, and what then drips. */
  readonly heads: readonly string[];
  /** A right request of somebody else, who must not notice. */
  readonly witness: () => Promise<void>;
  readonly connections?: number;
  readonly forMs?: number;
}

const DRIP_EVERY_MS = 200;

/** Keeps many connections busy with next to nothing, and throws when somebody else has to wait for them. */
export async function runSlowFuzz({ url, heads, witness, connections = 64, forMs = 3000 }: SlowTarget): Promise<void> {
  const { hostname, port } = new URL(url);
  const others = await watchOthers(witness);
  const sockets: Socket[] = [];
  for (let n = 0; n < connections; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    socket.write(heads[n % heads.length] ?? '');
    sockets.push(socket);
  }
  const dripping = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), DRIP_EVERY_MS);
  try {
    await delay(forMs);
    expectUnhurt(await others.stop());
  } finally {
    clearInterval(dripping);
    sockets.forEach((socket) => socket.destroy());
    await others.stop();
  }
}
