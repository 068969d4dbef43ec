import { EventStream, type Digests, type StreamEvents } from './event-stream';

const NAME = 'pushfleet-live';
/** As many as the API takes. */
const MOST_TOPICS = 20;
/** A page that makes room for another takes its topics away and adds those of the other. */
const SETTLING_MS = 50;

type Message =
  | { readonly kind: 'wants'; readonly tab: string; readonly topics: readonly string[] }
  | { readonly kind: 'who-wants' }
  | { readonly kind: 'state'; readonly digests: Digests }
  | { readonly kind: 'broken' | 'refused' };

/**
 * One stream for all tabs of a browser that are seen: whichever holds the lock has it and tells the others. Browsers give locks
 * to pages of https and of this machine only; elsewhere each tab has a stream of its own.
 */
export class SharedStream {
  private readonly tab = Math.random().toString(36).slice(2);
  private readonly channel = new BroadcastChannel(NAME);
  private readonly wants = new Map<string, readonly string[]>();
  private readonly state = new Map<string, string>();
  private own: readonly string[] = [];
  private stream: EventStream | undefined;
  private isLeader = false;
  private resign: (() => void) | undefined;
  private waiting: AbortController | undefined;
  private timer: number | undefined;

  constructor(private readonly events: StreamEvents) {
    this.channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.hear(data));
  }

  /** What this tab shows; nothing when nobody sees it. */
  want(topics: readonly string[]): void {
    this.own = topics;
    this.channel.postMessage({ kind: 'wants', tab: this.tab, topics } satisfies Message);
    if (topics.length === 0) this.step(false);
    else this.standForLeader();
    this.settle();
  }

  close(): void {
    this.want([]);
    clearTimeout(this.timer);
    this.channel.close();
  }

  private standForLeader(): void {
    if (this.isLeader || this.waiting) return;
    const { locks } = navigator as Navigator & { readonly locks?: LockManager };
    if (!locks) return this.step(true);
    const waiting = new AbortController();
    this.waiting = waiting;
    const lead = (): Promise<void> =>
      new Promise((resolve) => {
        this.resign = resolve;
        this.step(true);
      });
    locks.request(NAME, { signal: waiting.signal }, lead).catch(() => {
      // It is not wanted any more, or this browser gives none to this page.
      if (!waiting.signal.aborted) this.step(true);
    });
  }

  private step(isLeader: boolean): void {
    if (!isLeader) {
      this.waiting?.abort();
      this.waiting = undefined;
      this.resign?.();
      this.resign = undefined;
      this.wants.clear();
      this.end();
    }
    if (isLeader && !this.isLeader) this.channel.postMessage({ kind: 'who-wants' } satisfies Message);
    this.isLeader = isLeader;
    this.settle();
  }

  private hear(message: Message): void {
    if (message.kind === 'wants') {
      this.wants.set(message.tab, message.topics);
      if (this.isLeader) this.answer(message.topics);
    } else if (message.kind === 'who-wants') {
      this.channel.postMessage({ kind: 'wants', tab: this.tab, topics: this.own } satisfies Message);
    } else if (message.kind === 'state') this.events.onState(message.digests);
    else if (message.kind === 'broken') this.events.onBroken();
    else this.events.onRefused();
  }

  /** What is known already of topics that another tab wants. */
  private answer(topics: readonly string[]): void {
    const known = topics.flatMap((topic) => {
      const digest = this.state.get(topic);
      return digest === undefined ? [] : [[topic, digest] as const];
    });
    if (known.length > 0)
      this.channel.postMessage({ kind: 'state', digests: Object.fromEntries(known) } satisfies Message);
    this.settle();
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.follow(), SETTLING_MS);
  }

  /** The stream tells at least of what any tab shows; one that tells more stays, because another is dearer. */
  private follow(): void {
    if (!this.isLeader) return;
    const topics = [...new Set([...this.own, ...[...this.wants.values()].flat()])].slice(0, MOST_TOPICS);
    if (this.stream?.covers(topics)) return;
    this.end();
    this.stream = new EventStream(topics, {
      onState: (digests) => {
        for (const [topic, digest] of Object.entries(digests)) this.state.set(topic, digest);
        this.tell({ kind: 'state', digests });
      },
      onBroken: () => this.tell({ kind: 'broken' }),
      onRefused: () => this.tell({ kind: 'refused' }),
    });
  }

  private tell(message: Message): void {
    this.channel.postMessage(message);
    this.hear(message);
  }

  private end(): void {
    this.stream?.close();
    this.stream = undefined;
    this.state.clear();
  }
}
