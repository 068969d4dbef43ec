import { writeJson } from '@pushfleet/domain';
import type { Rest } from '@pushfleet/http-edge';
import type { Caller } from '../http/access';
import type { Topic } from './topics';

export type WhyOver = 'signed-out' | 'rights-changed' | 'stopping';

/**
 * What one browser is told, as server-sent events. A reader that is slow gets what holds when it comes to read, and not all
 * that held before: nothing piles up.
 */
export class LiveStream implements Rest {
  private readonly told = new Map<string, string>();
  private news: Record<string, string> = {};
  private isBeatDue = false;
  private over: WhyOver | undefined;
  private isOverTold = false;
  private wake: (() => void) | undefined;

  constructor(
    readonly topics: readonly Topic[],
    readonly caller: Caller,
    readonly ended: () => void,
  ) {}

  /** Whether there is something that its reader does not know. */
  isBehind(digests: ReadonlyMap<string, string>): boolean {
    return this.topics.some(({ name }) => digests.get(name) !== this.told.get(name));
  }

  tell(digests: ReadonlyMap<string, string>): void {
    for (const { name } of this.topics) {
      const digest = digests.get(name);
      if (digest === undefined || digest === this.told.get(name)) continue;
      this.told.set(name, digest);
      this.news[name] = digest;
    }
    this.stir();
  }

  /** False when the one before was not read. */
  beat(): boolean {
    if (this.isBeatDue) return false;
    this.isBeatDue = true;
    this.stir();
    return true;
  }

  end(why: WhyOver): void {
    this.over ??= why;
    this.stir();
  }

  async next(): Promise<string | undefined> {
    for (;;) {
      const text = this.take();
      if (text !== '') return text;
      if (this.isOverTold) return undefined;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** A reader that could not be told asks again. */
  brokenOff(): string {
    return '';
  }

  /** What its reader does not know yet. */
  private take(): string {
    let text = '';
    if (Object.keys(this.news).length > 0) text += event('state', this.news);
    this.news = {};
    if (this.isBeatDue) text += event('beat', {});
    this.isBeatDue = false;
    if (this.over !== undefined && !this.isOverTold) text += event('over', { why: this.over });
    this.isOverTold = this.over !== undefined;
    return text;
  }

  private stir(): void {
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${writeJson(data)}\n\n`;
