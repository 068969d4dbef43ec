import { Redis, SentinelConnector, type RedisOptions } from 'ioredis';
import type { RedisPlace } from './redis-place';
import { isTlsUrl } from './redis-tls';

/** What `redis+sentinel://[user:password@]host:port,host:port/master-name[/db]` says. */
export interface SentinelPlace {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The name under which the sentinels watch the master. */
  readonly master: string;
  readonly username: string;
  readonly password: string;
  readonly db: number;
}

const FORM = /^rediss?\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^@/?#]+)\/([^/?#]+)(?:\/(\d+))?$/;

const USUAL_PORT = 26_379;

/** A sentinel that takes longer is passed over, for the time at least that the next one takes. */
const SENTINEL_MS = 2000;

/** Longer than the longest wait for a job; sentinels call a master down that is silent for less. */
const SILENT_MS = 12_000;

const GOODBYE_MS = 100;

const SWITCHED = '+switch-master';

/** `undefined` for an address that names no sentinels. */
export function sentinelsIn(url: string): SentinelPlace | undefined {
  const [, username = '', password = '', hosts, master, db = '0'] = FORM.exec(url.trim()) ?? [];
  if (hosts === undefined || master === undefined) return undefined;
  return {
    sentinels: hosts.split(',').map((text) => {
      const { hostname, port } = new URL(`redis://${text.trim()}`);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || USUAL_PORT) };
    }),
    ...{ master: decodeURIComponent(master), db: Number(db) },
    ...{ username: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}

/** One sentinel, asked once or listened to. */
export const sentinelClient = (
  { host, port }: SentinelPlace['sentinels'][number],
  { url, tls, sentinelPassword }: RedisPlace,
  options: RedisOptions,
): Redis =>
  new Redis({
    ...{ host, port, connectTimeout: SENTINEL_MS, enableReadyCheck: false, lazyConnect: true },
    // There is nothing to say at the end.
    disconnectTimeout: GOODBYE_MS,
    ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
    ...(isTlsUrl(url) ? { tls: { ...tls } } : {}),
    ...options,
  });

/** Options of a connection to the master that the sentinels name, and of all that are made from it. */
export function sentinelOptions(place: RedisPlace, named: SentinelPlace, watch: MasterWatch): RedisOptions {
  const { sentinels, master, username, db } = named;
  const password = named.password || place.password;
  const { sentinelPassword } = place;
  return {
    ...{ sentinels: [...sentinels], name: master, db, Connector: connectorOf(watch) },
    ...(username ? { username } : {}),
    ...(password === undefined ? {} : { password }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(isTlsUrl(place.url) ? { enableTLSForSentinelMode: true, sentinelTLS: { ...place.tls } } : {}),
    ...{ sentinelCommandTimeout: SENTINEL_MS, socketTimeout: SILENT_MS },
  };
}

type Stream = Awaited<ReturnType<SentinelConnector['connect']>>;

/**
 * Ends the connections to a master when a sentinel says that there is another one: a master that hangs keeps them, and
 * answers nothing. The client library would listen to every sentinel for every connection; a process listens once.
 */
export class MasterWatch {
  private readonly streams = new Set<Stream>();
  private readonly listening: readonly Redis[];

  constructor(
    place: RedisPlace,
    { sentinels, master }: SentinelPlace,
    private readonly retryStrategy: (times: number) => number,
  ) {
    this.listening = sentinels.map((sentinel) => {
      const client = sentinelClient(sentinel, place, { retryStrategy, maxRetriesPerRequest: null });
      // Whoever asks the sentinels where the master is says what is wrong with them.
      client.on('error', () => undefined);
      client.on('message', (_channel: string, text: string) => {
        if (text.split(' ', 1)[0] === master) this.endStreams();
      });
      return client;
    });
  }

  start(): void {
    // Rejects only when it is closed before the sentinel was there.
    for (const client of this.listening) client.subscribe(SWITCHED).catch(() => undefined);
  }

  add(stream: Stream): void {
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
  }

  close(): void {
    for (const client of this.listening) if (client.status !== 'end') client.disconnect();
  }

  private endStreams(): void {
    for (const stream of this.streams) stream.destroy();
  }
}

const connectorOf = (watch: MasterWatch): NonNullable<RedisOptions['Connector']> =>
  class extends SentinelConnector {
    constructor(options: unknown) {
      super(options as ConstructorParameters<typeof SentinelConnector>[0]);
    }

    override async connect(...given: Parameters<SentinelConnector['connect']>): Promise<Stream> {
      const stream = await super.connect(...given);
      watch.add(stream);
      return stream;
    }
  };
