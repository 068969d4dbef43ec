import { MustCorrect } from './must-correct';

/** First words of what Redis says, or of what the client library says of something that is no Redis. */
const REFUSALS: readonly (readonly [words: RegExp, problem: string])[] = [
  [/^WRONGPASS\b/, 'it refuses the user name or the password'],
  [/^NOAUTH\b/, 'it wants a password, and the address has none'],
  [/^NOPERM\b/, 'its user may not do what this process has to'],
  [/^ERR DB index is out of range/, 'it has no database of that number'],
  [/^(?:Unknown RESP type|Protocol error)/, 'what answers there is no Redis'],
];

/** One line for an address that Redis is not served at as the process needs it; `undefined` for other errors. */
export function redisUrlRefused(error: unknown, url: string): MustCorrect | undefined {
  if (!(error instanceof Error)) return undefined;
  const problem = REFUSALS.find(([words]) => words.test(error.message))?.[1];
  if (problem === undefined) return undefined;
  const [first = ''] = url.split(',');
  return new MustCorrect(`REDIS_URL: Redis at ${new URL(first.trim()).host} cannot be used: ${problem}`, {
    cause: error,
  });
}
