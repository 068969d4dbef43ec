import fc from 'fast-check';
import { heavyJsonText, heavyQueryValue } from './heavy-values';
import { hostileJsonText, hostileName, hostileText, nearly, weighted } from './hostile-values';

/** A service as its attacker knows it. */
export interface FuzzTarget {
  readonly url: string;
  /** `METHOD /path/:parameter`. */
  readonly routes: readonly string[];
  /** Right credentials, so that requests get past the door. */
  readonly headers: Readonly<Record<string, string>>;
  /** Right bodies, by route; what is nearly right goes deepest. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  /** Paths of routes that refuse in a form of their own. */
  readonly ownForm?: RegExp;
  /** Names of query parameters. */
  readonly query?: readonly string[];
  /** A right request of somebody else, who must not notice. */
  readonly witness?: () => Promise<void>;
  /** Right values of parameters of paths. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
}

export interface HostileRequest {
  readonly method: string;
  /** With query; has no characters that a client library would refuse. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Hostile requests, the same for the same seed. */
export const hostileRequests = (target: FuzzTarget): fc.Arbitrary<HostileRequest> =>
  fc.constantFrom(...target.routes).chain((route) => {
    const [method = '', path = ''] = route.split(' ');
    return fc.record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constant(method) }, fc.constantFrom(...METHODS)),
      target: fc.tuple(pathFor(path, target), queryFor(target)).map(([place, query]) => `${place}${query}`),
      headers: headersFor(target),
      body: bodyFor(target.bodies?.[route]),
    });
  });

/** Percent-encoded but for what makes trouble in addresses. */
const inAddress = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString()).replace(/%(2F|2C|25|3B|2E)/g, decodeURIComponent);

const wild = hostileText.map(inAddress);

function pathFor(path: string, { parameters = {} }: FuzzTarget): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part);
    const known = parameters[part.slice(1)] ?? [];
    return known.length === 0 ? wild : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, wild);
  });
  return fc.tuple(...parts).map((found) => found.join('/').slice(0, 7000) || '/');
}

function queryFor({ query = [] }: FuzzTarget): fc.Arbitrary<string> {
  const name =
    query.length === 0 ? hostileName : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...query) }, hostileName);
  const value = fc.oneof(
    { weight: 9, arbitrary: fc.oneof(hostileText, hostileJsonText).map((text) => text.slice(0, 2000)) },
    { weight: 1, arbitrary: heavyQueryValue },
  );
  const pairs = fc.oneof(
    { weight: 9, arbitrary: fc.array(fc.tuple(name, value), { maxLength: 4 }) },
    // One name, again and again.
    {
      weight: 1,
      arbitrary: fc.tuple(name, value, fc.nat({ max: 300 })).map(([key, item, n]) => repeated([key, item], n)),
    },
  );
  return pairs.map((all) => {
    const text = all.map(([key, item]) => `${inAddress(key)}=${inAddress(item)}`).join('&');
    return text === '' ? '' : `?${text.slice(0, 7000)}`;
  });
}

const repeated = <T>(item: T, count: number): T[] => Array.from({ length: count }, () => item);

const inHeader = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').trim();

function headersFor({ headers }: FuzzTarget): fc.Arbitrary<Readonly<Record<string, string>>> {
  const value = hostileText.map((text) => inHeader(text).slice(0, 500));
  const extra = fc.record(
    {
      ...{ 'content-type': value, 'accept-encoding': value, 'x-lc-prod': value, 'x-lc-session': value, origin: value },
      ...{ 'content-encoding': fc.constantFrom('identity', 'gzip', 'br', 'x'), expect: fc.constant('100-continue') },
    },
    { requiredKeys: [] },
  );
  const names = Object.keys(headers);
  const spoilt =
    names.length === 0
      ? fc.constant({})
      : fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => ({ [name]: text }));
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, extra),
      fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, spoilt),
    )
    .map(([more, wrong]) => ({ ...headers, ...more, ...wrong }));
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

function bodyFor(right: unknown): fc.Arbitrary<Uint8Array | undefined> {
  const any = fc.oneof(
    { weight: 3, arbitrary: hostileJsonText.map(bytesOf) },
    { weight: 1, arbitrary: heavyJsonText.map(bytesOf) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  if (right === undefined) return any;
  const near = nearly(right).chain((once) => fc.oneof(fc.constant(once), nearly(once)));
  const heavy = weighted(right, heavyJsonText).map(bytesOf);
  return fc.oneof(
    { weight: 1, arbitrary: heavy },
    { weight: 8, arbitrary: near.map((value) => bytesOf(JSON.stringify(value) ?? '')) },
    { weight: 2, arbitrary: any },
  );
}
