import { Redis, SentinelConnector, SentinelIterator, type RedisOptions, type SentinelAddress } from 'ioredis';
import type { RedisPlace } from './redis-place';
import { isTlsUrl } from './redis-tls';
import type { SentinelPlace } from './sentinel-address';

/** A sentinel that takes longer is passed over, for the time at least that the next one takes. */
const SENTINEL_MS = 2000;

/**
 * Longer than the longest wait for a job, in which a master that lives is silent. Where sentinels take longer to call a master
 * down (`down-after-milliseconds`), a connection is ended by this, and asks them too early.
 */
const SILENT_MS = 12_000;

const GOODBYE_MS = 100;

/** One sentinel, asked once or listened to. */
export const sentinelClient = (
  { host, port }: SentinelPlace['sentinels'][number],
  { url, tls, sentinelPassword }: RedisPlace,
  options: RedisOptions,
): Redis =>
  new Redis({
    host,
    port,
    connectTimeout: SENTINEL_MS,
    enableReadyCheck: false,
    lazyConnect: true,
    // There is nothing to say at the end.
    disconnectTimeout: GOODBYE_MS,
    ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
    ...(isTlsUrl(url) ? { tls: { ...tls } } : {}),
    ...options,
  });

type Stream = Awaited<ReturnType<SentinelConnector['connect']>>;

/** Is told of every connection that is opened to the master. */
interface Watch {
  add(stream: Stream): void;
}

/** Options of a connection to the master that the sentinels name, and of all that are made from it. */
export function sentinelOptions(place: RedisPlace, named: SentinelPlace, watch: Watch): RedisOptions {
  const { sentinels, master, username, db } = named;
  const password = named.password || place.password;
  const { sentinelPassword } = place;
  return {
    sentinels: [...sentinels],
    name: master,
    db,
    Connector: connectorOf(watch),
    ...(username ? { username } : {}),
    ...(password === undefined ? {} : { password }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(isTlsUrl(place.url) ? { enableTLSForSentinelMode: true, sentinelTLS: { ...place.tls } } : {}),
    sentinelCommandTimeout: SENTINEL_MS,
    socketTimeout: SILENT_MS,
  };
}

/** Asks one sentinel after the other, behind the last one that was asked; the iterator of the library stays at its end. */
class SentinelRound extends SentinelIterator {
  private asked = 0;

  constructor(private readonly known: SentinelAddress[]) {
    super(known);
  }

  override next(): ReturnType<SentinelIterator['next']> {
    if (this.asked >= this.known.length) return { done: true, value: {} };
    this.asked += 1;
    const found = super.next();
    if (!found.done) return found;
    super.reset(false);
    return super.next();
  }

  override reset(): void {
    this.asked = 0;
  }

  override add(sentinel: SentinelAddress): boolean {
    const isNew = super.add(sentinel);
    if (isNew) this.known.push(sentinel);
    return isNew;
  }
}

const connectorOf = (watch: Watch): NonNullable<RedisOptions['Connector']> =>
  class extends SentinelConnector {
    constructor(options: unknown) {
      super(options as ConstructorParameters<typeof SentinelConnector>[0]);
      this.sentinelIterator = new SentinelRound([...((this.options.sentinels ?? []) as SentinelAddress[])]);
    }

    /** Who named what is no master was the last one that was asked: the next try asks another. */
    override check({ role }: { role?: string }): boolean {
      return role === undefined || role === 'master';
    }

    override async connect(...given: Parameters<SentinelConnector['connect']>): Promise<Stream> {
      this.sentinelIterator.reset(false);
      const stream = await super.connect(...given);
      watch.add(stream);
      return stream;
    }
  };
