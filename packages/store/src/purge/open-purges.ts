import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccountKeys,
  openPurgeBook,
  PURGE_STEPS,
  type PurgeBook,
  type PurgeList,
  type PurgeProgress,
} from '../accounts';
import type { KitKeys } from '../kit/keys';
import type { InstallationKeys } from '../installations';
import type { OwnChannelKeys } from '../own-channel';
import type { PushKeys } from '../pushes';
import type { RedisClient } from '../kit/redis';
import { partsOfStep, type Removed, type StepParts } from './purge-steps';

export interface PurgeRun {
  readonly stopping: AbortSignal;
  readonly onPushes: StepParts['onPushes'];
  /** Called where nobody could read how far the deletion was: it begins anew. */
  readonly onUnreadable: (error: unknown) => void;
  /** After this time no process remembers the app, and work that had begun before has ended. */
  readonly settleMs?: number;
}

export interface Purges extends PurgeList {
  /**
   * Goes on with a deletion until the data is gone, until `stopping`, or until the deletion has to wait. True when it has ended.
   * A deletion may be cut off anywhere, and any process may go on with it.
   */
  run(app: string, run: PurgeRun): Promise<boolean>;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys & KitKeys & InstallationKeys & OwnChannelKeys & PushKeys;
  readonly now: () => number;
}

const SETTLE_MS = 5000;
/** After each piece of work the deletion pauses for as long as the piece took, and at least this long. */
const LEAST_PAUSE_MS = 1;
const NOTE_EVERY_MS = 500;

export function openPurges(parts: Parts): Purges {
  const { list, get, goOn } = openPurgeBook(parts);
  return {
    list,
    get,
    async run(app, run) {
      const progress = await goOn(app, { now: parts.now(), onUnreadable: run.onUnreadable });
      return progress === undefined || new Purge(parts, app, { progress, run }).toItsEnd();
    },
  };
}

class Purge {
  private progress: PurgeProgress;
  private readonly run: PurgeRun;
  private readonly book: PurgeBook;
  private notedAt = -Infinity;

  constructor(
    private readonly parts: Parts,
    private readonly app: string,
    { progress, run }: { readonly progress: PurgeProgress; readonly run: PurgeRun },
  ) {
    this.progress = progress;
    this.run = run;
    this.book = openPurgeBook(parts);
  }

  async toItsEnd(): Promise<boolean> {
    for (;;) {
      if (!(await this.isMine())) return true;
      // What the first pass left was written by processes that still remembered the app: the second pass waits for them.
      if (this.progress.pass > 1 && !this.isSettled(this.parts.now())) return false;
      if (this.isUntouched()) await this.note({ passBeganAt: this.parts.now() });
      if (!(await this.pass())) return false;
      if (this.progress.found === 0 && this.isSettled(this.progress.passBeganAt)) break;
      await this.note({ pass: this.progress.pass + 1, step: PURGE_STEPS[0], done: 0, found: 0 });
    }
    await this.book.end(this.app);
    return true;
  }

  private isUntouched(): boolean {
    return this.progress.step === PURGE_STEPS[0] && this.progress.done === 0 && this.progress.found === 0;
  }

  private isSettled(at: number): boolean {
    return at - this.progress.startedAt >= (this.run.settleMs ?? SETTLE_MS);
  }

  /** Another process may have ended the deletion, and an app may have been created under the same id. */
  private async isMine(): Promise<boolean> {
    const now = await this.book.get(this.app);
    return now?.startedAt === this.progress.startedAt && now.pass <= this.progress.pass;
  }

  /** False when it was cut off. */
  private async pass(): Promise<boolean> {
    const from = PURGE_STEPS.indexOf(this.progress.step);
    for (const step of PURGE_STEPS.slice(from)) {
      const steps = partsOfStep(step, this.parts.redis);
      const first = step === this.progress.step ? this.progress.done : 0;
      await this.note({ step, done: first, of: steps.length });
      for (const [i, part] of [...steps.entries()].slice(first)) {
        if (!(await this.work(part({ ...this.parts, onPushes: this.run.onPushes }, this.app)))) return false;
        this.progress = { ...this.progress, done: i + 1 };
        if (this.parts.now() - this.notedAt >= NOTE_EVERY_MS) await this.note({});
      }
    }
    return true;
  }

  /** False when it was cut off. */
  private async work(pieces: AsyncGenerator<Removed>): Promise<boolean> {
    if (!(await this.isMine())) return false;
    let began = performance.now();
    for await (const removed of pieces) {
      this.count(removed);
      await delay(Math.max(LEAST_PAUSE_MS, performance.now() - began));
      if (this.run.stopping.aborted) {
        await this.note({});
        return false;
      }
      if (!(await this.isMine())) return false;
      began = performance.now();
    }
    return !this.run.stopping.aborted;
  }

  private count({ pushes = 0, installations = 0, keys = 0 }: Removed): void {
    const { removed, found } = this.progress;
    this.progress = {
      ...this.progress,
      found: found + pushes + installations + keys,
      removed: {
        pushes: removed.pushes + pushes,
        installations: removed.installations + installations,
        keys: removed.keys + keys,
      },
    };
  }

  private async note(change: Partial<PurgeProgress>): Promise<void> {
    this.notedAt = this.parts.now();
    this.progress = { ...this.progress, ...change, updatedAt: this.notedAt };
    await this.book.note(this.app, this.progress);
  }
}
