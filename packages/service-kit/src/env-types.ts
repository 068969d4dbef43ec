import { z } from 'zod';

/** A variable whose text is read by `read`; `undefined` from it means that the text breaks the rule. */
export const envText = <T>(rule: string, read: (text: string) => T | undefined) =>
  z.string().transform((text, context) => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });

interface Range {
  readonly min?: number;
  readonly max?: number;
}

const rangeRule = ({ min, max }: Range, unit = ''): string => {
  if (min === undefined) return max === undefined ? '' : `, at most ${max}${unit}`;
  return max === undefined ? `, at least ${min}${unit}` : ` from ${min} to ${max}${unit}`;
};

const isWithin = (value: number, { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Range): boolean =>
  value >= min && value <= max;

export const envInteger = (range: Range = {}) =>
  envText(`must be a whole number${rangeRule(range)}`, (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
    return isWithin(value, range) ? value : undefined;
  });

/** How much of something there may be, 0 for any number. */
export const envLimit = (usual: number, description: string, most?: number) =>
  envInteger({ min: 0, ...(most === undefined ? {} : { max: most }) })
    .default(usual)
    .describe(description);

/** 0 lets the system choose a free port. */
export const envPort = () => envInteger({ min: 0, max: 65_535 });

/** How long something may take or last, in milliseconds. */
export const envPeriod = (usual: number, description: string, range: Range = {}) =>
  envDurationMs(range).default(usual).describe(description);

const BOOLEANS = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

export const envBoolean = () => envText('must be true or false', (text) => BOOLEANS.get(text.toLowerCase()));

export const DAY_MS = 86_400_000;
const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
};

/** `1500`, `1500ms`, `20s`, `5m`, `2h` or `7d`; a bare number is milliseconds. */
export const envDurationMs = (range: Range = {}) =>
  envText(`must be a duration such as 500ms, 20s, 5m, 2h or 7d${rangeRule(range, ' ms')}`, (text) => {
    const [, amount, unit = 'ms'] = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(text) ?? [];
    const value = Number(amount) * (MS_PER_UNIT[unit] ?? NaN);
    return isWithin(value, range) ? value : undefined;
  });

const urlOf = (text: string, protocols: readonly string[]): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.host !== '' && protocols.includes(url.protocol) ? url : undefined;
};

const WEB = ['http:', 'https:'] as const;

const spelled = (protocols: readonly string[]): string => protocols.map((protocol) => `${protocol}//`).join(' or ');

/** The text itself, without a trailing slash. */
export const envUrl = ({ protocols = WEB }: { protocols?: readonly string[] } = {}) =>
  envText(`must be a URL that begins with ${spelled(protocols)}`, (text) =>
    urlOf(text, protocols) === undefined ? undefined : text.replace(/\/+$/, ''),
  );

/** Scheme, host and port: what a vendor endpoint is overridden with. */
export const envOrigin = ({ protocols = WEB }: { protocols?: readonly string[] } = {}) =>
  envText(`must be an origin without path, such as ${protocols[0]}//host:8080`, (text) => {
    const url = urlOf(text, protocols);
    if (url === undefined || url.username !== '' || url.password !== '') return undefined;
    return url.pathname.replace('/', '') + url.search + url.hash === '' ? `${url.protocol}//${url.host}` : undefined;
  });

/** Comma-separated entries, each read by `item`. */
export const envList = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .pipe(z.array(item).min(1, 'must name at least one entry'));
