import { isNativeError } from 'node:util/types';
import { MustCorrect } from './must-correct';
import { askSentinels } from './ask-sentinels';
import { nodesIn, type RedisPlace } from './redis-place';
import { sentinelsIn } from './sentinel-address';
import { CommandsRefused } from './redis-rights';
import { tlsMismatch } from './redis-speaks-tls';
import { isTlsUrl } from './redis-tls';
import { redisTlsRefused } from './redis-tls-refused';

/** First words of what Redis says, or of what the client library says of something that is no Redis. */
const REFUSALS: readonly (readonly [words: RegExp, problem: string])[] = [
  [/^WRONGPASS\b/, 'it refuses the user name or the password'],
  [/^NOAUTH\b/, 'it wants a password, and the address has none'],
  [/^NOPERM\b/, 'its user may not do what this process has to'],
  [/^ERR DB index is out of range/, 'it has no database of that number'],
  [/^(?:Unknown RESP type|Protocol error)/, 'what answers there is no Redis'],
];

export interface PlaceOfFleet extends RedisPlace {
  /** What its keys begin with. */
  readonly namespace: string;
}

/** One line for a Redis that this process cannot use until somebody corrects something; `undefined` for other errors. */
export async function redisRefused(error: unknown, place: PlaceOfFleet): Promise<MustCorrect | undefined> {
  if (!isNativeError(error)) return undefined;
  const address = await addressIn(place);
  if (address === undefined || address instanceof MustCorrect) return address;
  const at = `${address.host}:${address.port}`;
  const mismatch = await tlsMismatch(error, place.url, { ...address, at });
  if (mismatch) return mismatch;
  const problem = forbiddenIn(error, place) ?? REFUSALS.find(([words]) => words.test(error.message))?.[1];
  if (problem !== undefined)
    return new MustCorrect(`REDIS_URL: Redis at ${at} cannot be used: ${problem}`, { cause: error });
  if (!isTlsUrl(place.url)) return undefined;
  return redisTlsRefused(error, { ...address, at, tls: place.tls ?? {} });
}

const MAX_SHOWN = 8;

/** What the user may not do, and what it is to be given. */
function forbiddenIn(error: Error, { url, namespace }: PlaceOfFleet): string | undefined {
  const [, named] = /^NOPERM\b.* run the '([^']+)' command/.exec(error.message) ?? [];
  const commands = error instanceof CommandsRefused ? error.commands : named === undefined ? [] : [named];
  if (commands.length === 0) return undefined;
  const shown = commands.slice(0, MAX_SHOWN);
  const more = commands.length > MAX_SHOWN ? ` and ${commands.length - MAX_SHOWN} more` : '';
  const user = userIn(url);
  const rules = [...shown.map((command) => `+${command}`), `~${namespace}:*`, `&${namespace}:*`].join(' ');
  return (
    `its user ${user} may not run ${shown.join(', ')}${more} with the keys of this fleet; ` +
    `give it what docs/operate.md lists (ACL SETUSER ${user} ${rules})`
  );
}

function userIn(url: string): string {
  const named = sentinelsIn(url)?.username;
  if (named !== undefined) return named || 'default';
  const [first = ''] = url.split(',');
  return decodeURIComponent(new URL(first.trim()).username) || 'default';
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Of the first node, or of the master that sentinels name; what is wrong with the sentinels is told instead. */
async function addressIn(place: RedisPlace): Promise<Address | MustCorrect | undefined> {
  const named = sentinelsIn(place.url);
  if (named)
    return askSentinels(place, named).catch((error: unknown) => {
      if (error instanceof MustCorrect) return error;
      throw error;
    });
  const [first = ''] = nodesIn(place);
  const { hostname: host, port } = new URL(first);
  return { host, port: Number(port || 6379) };
}
