import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RedisClient } from '../kit/redis';
import { intercepted } from './intercepted';

interface Waiting {
  readonly process: number;
  send(): Promise<unknown>;
}

type Below = (bound: number) => number;

/** Turns that a process may take between an answer and its next command. */
const TURNS = 4;

/**
 * Processes whose commands reach Redis one at a time, in an order that is drawn. Some of them are cut off between two commands,
 * for good.
 */
export class Interleaving {
  private readonly waiting: Waiting[] = [];
  private readonly dead = new Set<number>();
  private processes = 0;
  /** The keys that were named so far. */
  readonly keys = new Set<string>();

  constructor(
    private readonly redis: RedisClient,
    private readonly below: Below,
  ) {}

  /** The connection of another process. */
  connection(): RedisClient {
    const process = (this.processes += 1);
    return intercepted(this.redis, (command, name) => {
      if (!/^(eval|evalsha|h|z|s|get|exists|del)/.test(name) || name === 'scan') return command;
      return (...args) => this.later(process, args, async () => command(...args));
    });
  }

  private later(process: number, args: readonly unknown[], command: () => Promise<unknown>): Promise<unknown> {
    for (const arg of args) if (typeof arg === 'string' && arg.includes(':i:{')) this.keys.add(arg);
    return new Promise((resolve, reject) => {
      this.waiting.push({ process, send: () => command().then(resolve, reject) });
    });
  }

  /** Until all have ended that were not cut off; one of `oneIn` commands cuts off who wants to send it. */
  async run(works: readonly Promise<unknown>[], { oneIn, onStep }: Steps): Promise<void> {
    let left = works.length;
    const failures: unknown[] = [];
    works.forEach((work) => work.catch((error: unknown) => failures.push(error)).finally(() => (left -= 1)));
    while (left > this.dead.size) {
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      const [next] = this.waiting.splice(this.below(Math.max(1, this.waiting.length)), 1);
      if (!next || this.dead.has(next.process)) continue;
      if (this.below(oneIn) === 0) this.dead.add(next.process);
      else {
        await next.send();
        await onStep();
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

interface Steps {
  readonly oneIn: number;
  onStep(): Promise<void>;
}
