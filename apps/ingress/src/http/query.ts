import { type IncomingMessage } from 'node:http';
import { type JsonObject, LIMITS, type OrderKey, parseKeys, parseOrder, readWhere } from '@pushfleet/domain';

const NO_QUERY = new URLSearchParams();

export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): URLSearchParams {
  const mark = url.indexOf('?');
  return mark < 0 || mark === url.length - 1 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1));
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = LIMITS.results.value;

export interface Range {
  readonly limit: number;
  readonly skip: number;
}

/** LeanCloud REST guide: a limit outside 1 to 1000 counts as 100; only a count may ask for no results. */
export function rangeOf(query: URLSearchParams): Range & { readonly count: boolean } {
  const count = query.get('count') === '1';
  return {
    limit: allowedLimit(wholeNumber(query.get('limit')), count),
    skip: wholeNumber(query.get('skip')) ?? 0,
    count,
  };
}

export function allowedLimit(limit: number | undefined, count: boolean): number {
  return limit !== undefined && limit <= MAX_LIMIT && limit >= (count ? 0 : 1) ? limit : DEFAULT_LIMIT;
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function whereOf(query: URLSearchParams): JsonObject {
  const text = query.get('where');
  return text === null || text === '' ? {} : readWhere(text);
}

export const orderOf = (query: URLSearchParams): readonly OrderKey[] => parseOrder(query.get('order') ?? '');

/** Names of fields; one behind a minus sign is left out. */
export const fieldNamesOf = (query: URLSearchParams): readonly string[] => parseKeys(query.get('keys') ?? '');

/** `fetchWhenSave` of the Java and REST clients is `new` of the JavaScript client. */
export const wantsDocument = (query: URLSearchParams): boolean =>
  query.get('fetchWhenSave') === 'true' || query.get('new') === 'true';
