import { envUrl } from './env-types';

const redisUrl = envUrl({ protocols: ['redis:', 'rediss:'] });

/** The store reads the rest of it, and says what it must be. */
const SENTINEL_URL = /^rediss?\+sentinel:\/\/./;

const FORMS =
  'must be redis:// or rediss:// URLs, separated by commas, or redis+sentinel://host:port,host:port/master-name';

/** User and password end with the last @ before the first of / ? #. */
const PARTS = /^rediss?:\/\/(?:(?<user>[^/?#]*)@)?(?:\[[^\]]*\]|[^:/?#]+)?(?::(?<port>[^/?#]*))?(?<rest>.*)$/s;

const MOST_PORTS = 65_535;

/** What is wrong with a `REDIS_URL`, without quoting it, since it may hold a password; `undefined` when nothing is. */
export function problemOfRedisUrl(text: string): string | undefined {
  if (SENTINEL_URL.test(text)) return undefined;
  const problems = text.split(',').map((url) => problemOf(url.trim()));
  const at = problems.findIndex((problem) => problem !== undefined);
  const problem = problems[at];
  return problem === undefined || problem === FORMS || problems.length === 1 ? problem : `entry ${at + 1}: ${problem}`;
}

const partsOf = (url: string): Partial<Record<'user' | 'port' | 'rest', string>> => PARTS.exec(url)?.groups ?? {};

function problemOf(url: string): string | undefined {
  const { user, port, rest = '' } = partsOf(url);
  if (port !== undefined && !isPort(port))
    return 'the port behind the host must be a number from 1 to 65535, and / ? # of a password be written %2F %3F %23';
  if (!redisUrl.safeParse(url).success) return FORMS;
  if (rest.includes('#')) return 'must have no #; in a password it is written %23';
  if (!/^(?:\/\d*)?(?:\?.*)?$/.test(rest))
    return 'what stands behind the host must be the number of a database, and / of a password be written %2F';
  if (!isDecodable(user)) return 'has a % in the user or the password that stands for no character; it is written %25';
  return undefined;
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_PORTS;

function isDecodable(text = ''): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
