import type { Socket } from 'node:net';
import { Redis } from 'ioredis';
import { ListDecoder } from './list-decoder';
import type { RedisClient } from '../redis';

/** Reads long lists of texts. */
export interface ListReader {
  /** Members of an ordered set of equal scores, from one on; see `ListDecoder` for keeping single ones of them. */
  rangeByLex(key: string, from: string, limit: number): Promise<readonly string[]>;
}

/** Stores of one connection share the one beside it. */
const readers = new WeakMap<RedisClient, ListReader>();

export interface LinkTimes {
  /** How long the connection may take until it is ready. */
  readonly readyMs: number;
  /** How long none is opened after one has ended, whether it was ever ready or not. */
  readonly restMs: number;
}

const TIMES: LinkTimes = { readyMs: 5000, restMs: 10_000 };

/**
 * A patient process of a single Redis reads lists over a connection of its own. Where that one fails, the list is asked for over
 * the shared connection, which knows how long to wait and what to say.
 */
export function listReaderOf(redis: RedisClient): ListReader {
  const known = readers.get(redis) ?? openListReader(redis);
  readers.set(redis, known);
  return known;
}

export function openListReader(redis: RedisClient, times = TIMES): ListReader {
  const shared = (key: string, from: string, limit: number): Promise<readonly string[]> =>
    redis.zrangebylex(key, from, '+', 'LIMIT', 0, limit);
  if (!(redis instanceof Redis) || redis.options.commandTimeout !== undefined) return { rangeByLex: shared };
  let link: Promise<ListLink> | undefined;
  let restsUntil = 0;
  const onEnd = (): void => {
    link = undefined;
    restsUntil = performance.now() + times.restMs;
  };
  return {
    async rangeByLex(key, from, limit) {
      if (redis.status !== 'ready' || performance.now() < restsUntil) return shared(key, from, limit);
      link ??= openLink(redis, times.readyMs, onEnd);
      const answer = await link.then(
        (open) => open.ask(['ZRANGEBYLEX', key, from, '+', 'LIMIT', '0', String(limit)]),
        (cause: Error) => cause,
      );
      return answer instanceof Error ? shared(key, from, limit) : answer;
    },
  };
}

const noMore = (): null => null;

type Answered = (answer: readonly string[] | Error) => void;

/**
 * The library connects and signs in; then the socket is read here. It does not connect again, and it ends with the shared
 * connection: after a failover both ask the same server.
 */
async function openLink(redis: Redis, readyMs: number, onEnd: () => void): Promise<ListLink> {
  const own = redis.duplicate({ lazyConnect: true, retryStrategy: noMore, sentinelRetryStrategy: noMore });
  const end = (): void => {
    // The library would keep the process for two seconds over one that has ended.
    if (own.status === 'end') return;
    own.disconnect();
    own.stream?.destroy();
  };
  redis.once('close', end);
  own.once('end', () => {
    redis.removeListener('close', end);
    onEnd();
  });
  // The shared connection says what is wrong.
  own.on('error', () => undefined);
  const silence = setTimeout(end, readyMs);
  try {
    await own.connect();
    // Behind this answer the library waits for none.
    await own.ping();
    return new ListLink(own.stream as Socket);
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(silence);
  }
}

class ListLink {
  private readonly waiting: Answered[] = [];
  private readonly decoder = new ListDecoder();

  constructor(private readonly socket: Socket) {
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.once('close', () => this.fail(new Error('the connection was lost')));
  }

  /** Resolves with an error in the place of a list; never rejects. */
  ask(command: readonly string[]): Promise<readonly string[] | Error> {
    if (!this.socket.writable) return Promise.resolve(new Error('the connection was lost'));
    const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.socket.write(`*${command.length}\r\n${parts.join('')}`);
    });
  }

  private take(chunk: Buffer): void {
    try {
      for (const answer of this.decoder.take(chunk)) this.waiting.shift()?.(answer);
    } catch (error) {
      this.fail(error as Error);
      this.socket.destroy();
    }
  }

  private fail(error: Error): void {
    for (const answered of this.waiting.splice(0)) answered(error);
  }
}
