import type { Redis } from 'ioredis';
import type { Socket } from 'node:net';
import type { RedisPlace } from './redis-place';
import { sentinelClient } from './redis-sentinel';
import type { SentinelPlace } from './sentinel-address';

const SWITCHED = '+switch-master';

type Sentinel = SentinelPlace['sentinels'][number];

interface WatchOptions {
  readonly retryStrategy: (times: number) => number;
  /** Told of a sentinel that cannot be listened to, once for each cause until it is heard again. */
  readonly onUnheard: (error: Error) => void;
}

/**
 * Ends the connections to a master when a sentinel says that there is another one: a master that hangs keeps them, and
 * answers nothing. The client library would listen to every sentinel for every connection; here all of them share one watch.
 */
export class MasterWatch {
  /** With the name that was looked up for it, where sentinels name hosts by names. */
  private readonly streams = new Map<Socket, string | undefined>();
  private readonly listening: readonly Redis[];
  private isClosed = false;

  constructor(
    place: RedisPlace,
    private readonly named: SentinelPlace,
    private readonly options: WatchOptions,
  ) {
    this.listening = named.sentinels.map((sentinel) => this.listenTo(sentinel, place));
  }

  start(): void {
    // Why there is no connection yet is told as an error of it; it tries again until it is closed.
    for (const client of this.listening) client.connect().catch(() => undefined);
  }

  add(stream: Socket): void {
    this.streams.set(stream, undefined);
    stream.on('lookup', (...[, , , host]) => this.streams.set(stream, host));
    stream.once('close', () => this.streams.delete(stream));
  }

  close(): void {
    this.isClosed = true;
    for (const client of this.listening) if (client.status !== 'end') client.disconnect();
  }

  private listenTo(sentinel: Sentinel, place: RedisPlace): Redis {
    const { retryStrategy } = this.options;
    // The library would subscribe anew by itself, and leave a refusal unhandled.
    const client = sentinelClient(sentinel, place, { retryStrategy, autoResubscribe: false });
    const told = new Set<string>();
    const tell = (error: unknown): void => this.tell(sentinel, error as Error, told);
    client.on('error', tell);
    client.on('ready', () => client.subscribe(SWITCHED).then(() => told.clear(), tell));
    client.on('message', (_channel: string, text: string) => this.onSwitched(text));
    return client;
  }

  private tell({ host, port }: Sentinel, error: Error, told: Set<string>): void {
    const cause = (error as NodeJS.ErrnoException).code ?? error.message.split(' ', 1)[0] ?? '';
    if (this.isClosed || told.has(cause)) return;
    told.add(cause);
    const message = `the sentinel at ${host}:${port} cannot be listened to: ${error.message || cause}`;
    this.options.onUnheard(new Error(message, { cause: error }));
  }

  /** Every sentinel says so for itself, so that many connections are at the new master when the last one does. */
  private onSwitched(text: string): void {
    const [name, , , host, port] = text.split(' ');
    if (name !== this.named.master) return;
    for (const [stream, hostname = stream.remoteAddress] of this.streams) {
      const isThere = hostname === host && String(stream.remotePort) === port;
      if (!isThere) stream.destroy();
    }
  }
}
