import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type BodyPace } from './body-pace';

/** How much of a body is handed to the connection at a time: what a caller takes shows by whole pieces. */
const PIECE_BYTES = 8 * 1024;

export interface HandOver {
  readonly res: ServerResponse;
  readonly pace: BodyPace;
}

/**
 * Hands a body to the connection, each piece when the caller has taken the one before; ends early when there is no caller any
 * more. Rejects when the caller takes one as slowly as no body may arrive.
 */
export async function handOver(to: HandOver, body: Buffer): Promise<void> {
  const { res } = to;
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    if (res.writableNeedDrain) await taken(to, 'drain');
    if (res.req.socket.destroyed) return;
    res.write(body.subarray(at, at + PIECE_BYTES));
  }
}

/** Ends an answer; resolves when the caller has taken all of it or has gone, and rejects as `handOver` does. */
export function endOf(to: HandOver, body?: string | Buffer): Promise<void> | undefined {
  const { res } = to;
  res.end(body);
  // Most answers are in the buffers of the system by now.
  return res.writableLength === 0 ? undefined : taken(to, 'close');
}

/** Resolves with the event, or when the caller has gone. */
export function taken({ res, pace }: HandOver, event: 'drain' | 'close'): Promise<void> {
  const { socket } = res.req;
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let leave: () => void = () => undefined;
    const settle = (reason?: Error): void => {
      leave();
      for (const [name, listener] of listeners) res.off(name, listener);
      if (reason) reject(reason);
      else resolve();
    };
    const over = (): void => settle();
    // What the connection holds back shows as taken only when all of it is.
    const watch = (): void => {
      const bytes = Math.max(PIECE_BYTES, res.writableLength);
      leave = pace.watch(() => bytes, settle);
    };
    const listeners = [[event, over] as const, ['close', over] as const, ['socket', watch] as const];
    for (const [name, listener] of listeners) res.on(name, listener);
    // Without one it stands behind another answer, and that one's time counts.
    if (res.socket) watch();
  });
}

const queued = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once when an answer is over, taken or not. One that stands behind another is told nothing of the end of its
 * connection, and of those there may be many: they share a listener.
 */
export function onceOver(res: ServerResponse, callBack: () => void): void {
  res.once('close', callBack);
  if (res.socket) return;
  const { socket } = res.req;
  const waiting = queued.get(socket) ?? new Set();
  if (!queued.has(socket)) socket.once('close', () => waiting.forEach((each) => each()));
  queued.set(socket, waiting.add(callBack));
  res.once('socket', () => waiting.delete(callBack));
}
