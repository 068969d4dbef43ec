import type { Io } from '../io';
import { ERASE_LINE } from './printable';

export interface ProgressOptions {
  /** What is counted. */
  readonly unit: string;
  /** How much there is to do; undefined when nobody knows. */
  readonly total: number | undefined;
  readonly now?: () => number;
}

const TERMINAL_EVERY_MS = 200;
const PLAIN_EVERY_MS = 5000;
const BAR_WIDTH = 24;

/** Shows on standard error how far a long command is: a bar on a terminal, else a line now and then. */
export class Progress {
  private readonly startedAt: number;
  private shownAt: number;
  private readonly now: () => number;

  constructor(
    private readonly io: Pick<Io, 'writeErr' | 'isTerminal'>,
    private readonly options: ProgressOptions,
  ) {
    this.now = options.now ?? Date.now;
    this.startedAt = this.now();
    this.shownAt = this.startedAt;
  }

  /** `done` is a part of the total; `count` is what is shown. */
  update(done: number, count: number): void {
    const now = this.now();
    if (now - this.shownAt < (this.io.isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS)) return;
    this.shownAt = now;
    const line = this.lineOf(done, count);
    this.io.writeErr(this.io.isTerminal ? `${ERASE_LINE}${line}` : `${line}\n`);
  }

  /** A line of its own. */
  note(text: string): void {
    this.clear();
    this.io.writeErr(`${text}\n`);
  }

  clear(): void {
    if (this.io.isTerminal) this.io.writeErr(ERASE_LINE);
  }

  private lineOf(done: number, count: number): string {
    const { unit, total } = this.options;
    const seconds = Math.max(0.001, (this.now() - this.startedAt) / 1000);
    const counted = `${thousands(count)} ${unit}, ${thousands(Math.round(count / seconds))}/s`;
    if (total === undefined || total === 0) return counted;
    const share = Math.min(1, done / total);
    const left = share === 0 ? '' : `, ${duration((seconds / share) * (1 - share))} left`;
    const filled = Math.round(share * BAR_WIDTH);
    const bar = this.io.isTerminal ? `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}] ` : '';
    return `${bar}${Math.floor(share * 100)} %, ${counted}${left}`;
  }
}

export const thousands = (n: number): string => n.toLocaleString('en-US');

/** Such as `1:02:03` or `0:09`. */
function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
