/** By topic: another digest than before means that the answers about it differ. */
export type Digests = Readonly<Record<string, string>>;

export interface StreamEvents {
  onState(digests: Digests): void;
  /** It works no more; it is tried again. */
  onBroken(): void;
  /** The server has ended it, or does not want it: perhaps nobody is signed in. */
  onRefused(): void;
}

const LEAST_WAIT_MS = 1000;
const MOST_WAIT_MS = 30_000;
/** Three signs of life that did not come. */
const SILENCE_MS = 45_000;

/** A stream of events that is opened again, later each time, for as long as it cannot be had. */
export class EventStream {
  private source: EventSource | undefined;
  private timer: number | undefined;
  private failures = 0;

  constructor(
    private readonly topics: readonly string[],
    private readonly events: StreamEvents,
  ) {
    this.open();
  }

  covers(topics: readonly string[]): boolean {
    return topics.every((topic) => this.topics.includes(topic));
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
  }

  private open(): void {
    const query = this.topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&');
    const source = new EventSource(`/api/v1/live?${query}`);
    this.source = source;
    this.listen();
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      this.failures = 0;
      this.listen();
      this.events.onState(JSON.parse(data) as Digests);
    });
    source.addEventListener('beat', () => this.listen());
    source.addEventListener('over', () => this.events.onRefused());
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) this.events.onRefused();
      this.again();
    });
  }

  /** A connection that died without a word is given up. */
  private listen(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.again(), SILENCE_MS);
  }

  private again(): void {
    this.close();
    this.events.onBroken();
    const waitMs = Math.min(MOST_WAIT_MS, LEAST_WAIT_MS * 2 ** this.failures);
    this.failures += 1;
    // Not all browsers of a console that was restarted at the same moment.
    this.timer = setTimeout(() => this.open(), waitMs * (0.5 + Math.random()));
  }
}
