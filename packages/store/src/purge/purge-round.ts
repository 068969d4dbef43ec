import { setTimeout as delay } from 'node:timers/promises';
import { PURGE_STEPS, type PurgeBook, type PurgeProgress, type PurgeStep } from '../accounts';
import {
  partsOfInstallations,
  PUSH_PARTS,
  leftoverParts,
  type Part,
  type Removed,
  type StepParts,
} from './purge-steps';

export interface RoundRun {
  readonly stopping: AbortSignal;
  readonly onPushes: StepParts['onPushes'];
  /** Does the work that is one app's alone. One that fails is left out, and the others go on. */
  readonly attempt: (app: string, work: () => Promise<void>) => Promise<unknown>;
  /** After this time no process remembers an app, and work that had begun before has ended. */
  readonly settleMs?: number;
  /** What one app alone takes of a round at most, before the others have their turn. */
  readonly turnMs?: number;
}

export interface Deletion {
  readonly app: string;
  progress: PurgeProgress;
}

interface Parts extends Omit<StepParts, 'onPushes'> {
  readonly now: () => number;
  readonly book: PurgeBook;
}

const SETTLE_MS = 5000;
const TURN_MS = 10_000;
/** After each piece of work the round pauses for as long as the piece took, and at least this long. */
const LEAST_PAUSE_MS = 1;
const NOTE_EVERY_MS = 500;

const pauseAfter = (began: number): Promise<void> => delay(Math.max(LEAST_PAUSE_MS, performance.now() - began));

/**
 * One pass of several deletions. What has to look at the data of all apps, their pushes and the names of all keys, is looked at
 * once for all of them.
 */
export class PurgeRound {
  private notedAt = -Infinity;
  private isCutOff = false;
  /** By app; one that another process ended is taken out. */
  private readonly deletions: Map<string, Deletion>;

  constructor(
    private readonly parts: Parts,
    private readonly run: RoundRun,
    deletions: readonly Deletion[],
  ) {
    // What the first pass left was written by processes that still remembered the app: the second pass waits for them.
    const due = deletions.filter(({ progress }) => progress.pass === 1 || this.isSettled(progress, parts.now()));
    this.deletions = new Map(due.map((one) => [one.app, one]));
  }

  /** Resolves with the apps whose deletions have ended. */
  async toItsEnd(): Promise<readonly string[]> {
    const untouched = this.at('pushes').filter(({ progress: { done, found } }) => done === 0 && found === 0);
    await this.note(untouched, { passBeganAt: this.parts.now() });
    await this.walk(this.at('pushes'), PUSH_PARTS);
    for (const one of this.at('installations')) {
      if (this.run.stopping.aborted) return [];
      await this.run.attempt(one.app, async () => void (await this.takeTurn(one)));
    }
    return this.endPass(await this.walk(this.at('leftovers'), leftoverParts(this.parts.redis)));
  }

  private at(step: PurgeStep): readonly Deletion[] {
    return [...this.deletions.values()].filter(({ progress }) => progress.step === step);
  }

  private isHere({ app }: Deletion): boolean {
    return this.deletions.has(app);
  }

  private isSettled({ startedAt }: PurgeProgress, at: number): boolean {
    return at - startedAt >= (this.run.settleMs ?? SETTLE_MS);
  }

  private async takeTurn(one: Deletion): Promise<readonly Deletion[]> {
    const [endsAt, began] = [performance.now() + (this.run.turnMs ?? TURN_MS), performance.now()];
    const parts = await partsOfInstallations(this.parts, one.app);
    await pauseAfter(began);
    return this.walk([one], parts, () => performance.now() >= endsAt);
  }

  /** Goes through the parts of a step, and on to the next step. Resolves with those that are through. */
  private async walk(
    company: readonly Deletion[],
    parts: readonly (Part | undefined)[],
    isOver = (): boolean => false,
  ): Promise<readonly Deletion[]> {
    await this.note(company, { of: parts.length });
    await this.walkParts(company, parts, isOver);
    await this.note(company);
    const through = company.filter((one) => this.isHere(one) && one.progress.done >= parts.length);
    const next = PURGE_STEPS[PURGE_STEPS.indexOf(company[0]?.progress.step ?? 'leftovers') + 1];
    if (next) await this.note(through, { step: next, done: 0 });
    return through;
  }

  private async walkParts(
    company: readonly Deletion[],
    parts: readonly (Part | undefined)[],
    isOver: () => boolean,
  ): Promise<void> {
    for (const [i, part] of parts.entries()) {
      const here = company.filter((one) => this.isHere(one) && one.progress.done <= i);
      if (part && here.length > 0) await this.work(part, here);
      if (this.isCutOff) return;
      for (const one of here) one.progress = { ...one.progress, done: i + 1 };
      if (part && isOver()) return;
      if (this.parts.now() - this.notedAt >= NOTE_EVERY_MS) await this.note(company);
    }
  }

  private async work(part: Part, here: readonly Deletion[]): Promise<void> {
    const apps = new Set(here.map(({ app }) => app));
    if (!(await this.goesOn(apps))) return;
    let began = performance.now();
    for await (const removed of part({ ...this.parts, onPushes: this.run.onPushes }, apps)) {
      this.count(removed);
      await pauseAfter(began);
      if (!(await this.goesOn(apps))) return;
      began = performance.now();
    }
    this.isCutOff = this.run.stopping.aborted;
  }

  /**
   * Takes out those that another process ended, as an app may have been created under the same id, and those of which nobody can
   * read any more how far they are. False where nothing is left to do.
   */
  private async goesOn(apps: Set<string>): Promise<boolean> {
    this.isCutOff = this.run.stopping.aborted;
    if (this.isCutOff) return false;
    for (const [app, now] of await this.parts.book.read([...apps])) {
      const known = this.deletions.get(app)?.progress;
      if (now && known && now.startedAt === known.startedAt && now.pass <= known.pass) continue;
      apps.delete(app);
      this.deletions.delete(app);
    }
    return apps.size > 0;
  }

  private count(removed: Removed): void {
    for (const [app, { pushes = 0, installations = 0, keys = 0 }] of removed) {
      const one = this.deletions.get(app);
      if (!one) continue;
      const before = one.progress.removed;
      one.progress = {
        ...one.progress,
        found: one.progress.found + pushes + installations + keys,
        removed: {
          pushes: before.pushes + pushes,
          installations: before.installations + installations,
          keys: before.keys + keys,
        },
      };
    }
  }

  /** Deletions that found nothing end; the others have another pass. */
  private async endPass(company: readonly Deletion[]): Promise<readonly string[]> {
    const isDone = ({ progress }: Deletion): boolean =>
      progress.found === 0 && this.isSettled(progress, progress.passBeganAt);
    const [ended, others] = [company.filter(isDone), company.filter((one) => !isDone(one))];
    for (const { app } of ended) await this.parts.book.end(app);
    const again = { step: PURGE_STEPS[0], done: 0, found: 0 };
    for (const one of others) await this.note([one], { ...again, pass: one.progress.pass + 1 });
    return ended.map(({ app }) => app);
  }

  private async note(company: readonly Deletion[], change: Partial<PurgeProgress> = {}): Promise<void> {
    this.notedAt = this.parts.now();
    const here = company.filter((one) => this.isHere(one));
    for (const one of here) one.progress = { ...one.progress, ...change, updatedAt: this.notedAt };
    if (here.length > 0) await this.parts.book.note(here);
  }
}
