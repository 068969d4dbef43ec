import type { Redis } from 'ioredis';
import { isNativeError } from 'node:util/types';
import { MustCorrect } from './must-correct';
import type { RedisPlace } from './redis-place';
import { sentinelClient } from './redis-sentinel';
import { tlsMismatch } from './redis-speaks-tls';
import { isTlsUrl } from './redis-tls';
import { redisTlsRefused } from './redis-tls-refused';
import type { SentinelPlace } from './sentinel-address';

type Sentinel = SentinelPlace['sentinels'][number];

const ANSWER_MS = 2000;

interface Answer {
  readonly master?: Sentinel | undefined;
  /** The names that the sentinel does know. */
  readonly names?: readonly string[];
  readonly refused?: MustCorrect | undefined;
}

/**
 * Where the sentinels say that the master is; `undefined` when none of them is there. Throws what has to be corrected, as one
 * line: a name that they do not know, a password, what is no sentinel.
 */
export async function askSentinels(place: RedisPlace, named: SentinelPlace): Promise<Sentinel | undefined> {
  const answers = await Promise.all(named.sentinels.map((sentinel) => ask(sentinel, place, named.master)));
  const master = answers.find((answer) => answer.master)?.master;
  if (master) return master;
  const refused = answers.find((answer) => answer.refused)?.refused;
  if (refused) throw refused;
  const knowing = answers.flatMap(({ names }) => (names === undefined ? [] : [names]));
  if (knowing.length === 0) return undefined;
  const names = [...new Set(knowing.flat())];
  throw new MustCorrect(
    `REDIS_URL: the sentinels (${named.sentinels.map(addressOf).join(', ')}) name no master "${named.master}"; ` +
      (names.length > 0 ? `they watch ${names.join(', ')}: name one of them` : 'they watch none: sentinel monitor'),
  );
}

const addressOf = ({ host, port }: Sentinel): string => `${host}:${port}`;

async function ask(sentinel: Sentinel, place: RedisPlace, name: string): Promise<Answer> {
  const client = sentinelClient(sentinel, place, { retryStrategy: () => null, commandTimeout: ANSWER_MS });
  let told: Error | undefined;
  client.on('error', (error: Error) => (told ??= error));
  try {
    await client.connect();
    return await answerOf(client, name);
  } catch (error) {
    return { refused: await refusalOf(told ?? error, sentinel, place) };
  } finally {
    if (client.status !== 'end') client.disconnect();
  }
}

async function answerOf(client: Redis, name: string): Promise<Answer> {
  const [host, port] = ((await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as string[] | null) ?? [];
  if (host !== undefined) return { master: { host, port: Number(port) } };
  const masters = (await client.call('SENTINEL', 'MASTERS')) as readonly unknown[];
  return { names: masters.map(nameIn) };
}

/** A list of fields and values in the older protocol, an object or a map in the newer one. */
function nameIn(master: unknown): string {
  if (Array.isArray(master)) return String(master[master.indexOf('name') + 1]);
  return String(master instanceof Map ? master.get('name') : (master as { name?: unknown }).name);
}

const REFUSALS: readonly (readonly [words: RegExp, line: (at: string) => string])[] = [
  [
    /^(?:NOAUTH|WRONGPASS)\b|without any password configured/,
    (at) => `REDIS_SENTINEL_PASSWORD: the sentinel at ${at} refuses it, or wants one and has been given none`,
  ],
  [/^NOPERM\b/, (at) => `REDIS_SENTINEL_PASSWORD: the user of the sentinel at ${at} may not ask it for the master`],
  [
    /^(?:ERR unknown command|Unknown RESP type|Protocol error)/,
    (at) => `REDIS_URL: what answers at ${at} is no sentinel: name the sentinels, usually on port 26379`,
  ],
];

async function refusalOf(error: unknown, sentinel: Sentinel, place: RedisPlace): Promise<MustCorrect | undefined> {
  if (!isNativeError(error)) return undefined;
  const at = addressOf(sentinel);
  const mismatch = await tlsMismatch(error, place.url, { ...sentinel, at });
  if (mismatch) return mismatch;
  const line = REFUSALS.find(([words]) => words.test(error.message))?.[1];
  if (line) return new MustCorrect(line(at), { cause: error });
  return isTlsUrl(place.url) ? redisTlsRefused(error, { ...sentinel, at, tls: place.tls ?? {} }) : undefined;
}
