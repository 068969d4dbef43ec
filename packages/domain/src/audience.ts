import { isJsonObject, type Json, type JsonObject } from './json';
import type { RouteBucket } from './route';

/** Fields that name devices one by one. */
export const ADDRESS_FIELDS = ['objectId', 'installationId', 'deviceToken', 'registrationId'] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** Who a push is for, split into what an index answers and what is left to test on each device. */
export interface Audience {
  /** Devices named one by one: looked up, never walked. */
  readonly addressed?: { readonly field: AddressField; readonly values: readonly string[] };
  /** Addresses that the sender knows himself, all of them in one route bucket: not even looked up. */
  readonly devices?: { readonly bucket: RouteBucket; readonly registrationIds: readonly string[] };
  /** The list of devices was long and is in the plan by now. */
  readonly isForgotten?: boolean;
  /** Why it is nobody: its sub-queries have no answer. */
  readonly refusal?: string;
  /** Walk only the subscribers of any of these. */
  readonly subscriptions?: readonly string[];
  /** The channels that the sender named, where the subscribers of others are walked, who are fewer. */
  readonly named?: readonly string[];
  /** What the index does not answer. */
  readonly predicate?: JsonObject;
}

/** Splits a parsed `where` and the `channels` of a push request. */
export function audienceOf(where: JsonObject, channels: readonly string[] | undefined): Audience {
  const rest: Record<string, Json> = { ...lift(where) };
  const addressed = takeAddressed(rest);
  const subscriptions = channels ?? (addressed ? undefined : takeSubscriptions(rest));
  if (!addressed) return compact({ subscriptions, predicate: rest });
  const predicate = channels ? { $and: [rest, { channels: { $in: [...channels] } }] } : rest;
  return { addressed, ...compact({ predicate }) };
}

const NAMING_FIELDS: ReadonlySet<string> = new Set([...ADDRESS_FIELDS, 'channels']);

/** What an index knows a value of a field by; undefined where no index answers for it. */
export type TermOf = (field: string, value: Json) => string | undefined;

/**
 * Lists of terms of which every device of the audience has at least one: each list alone finds them all, and others. A term is
 * the name of a channel, or what `termOf` says.
 */
export function coversOf({ subscriptions, predicate = {} }: Audience, termOf: TermOf): readonly (readonly string[])[] {
  return [...(subscriptions ? [subscriptions] : []), ...coversOfWhere(predicate, termOf)];
}

/** The name of a channel is its term. */
export const channelTermOf: TermOf = (field, value) =>
  field === 'channels' && typeof value === 'string' ? value : undefined;

/** Those that channels alone make. */
export const channelCovers = (audience: Audience): readonly (readonly string[])[] => coversOf(audience, channelTermOf);

function coversOfWhere(where: JsonObject, termOf: TermOf): readonly (readonly string[])[] {
  const branchesOf = (branches: Json) => (branches as readonly JsonObject[]).map((one) => coversOfWhere(one, termOf));
  return Object.entries(where).flatMap(([field, condition]) => {
    if (field === '$and') return branchesOf(condition).flat();
    if (field === '$or') return coverOfAny(branchesOf(condition));
    return coversOfField(condition, (value) => termOf(field, value));
  });
}

/** Of branches one of which holds: a cover of each of them together. */
function coverOfAny(branches: readonly (readonly (readonly string[])[])[]): readonly (readonly string[])[] {
  const first = branches.map(([cover]) => cover);
  return first.length === 0 || first.includes(undefined) ? [] : [[...new Set(first.flatMap((cover) => cover ?? []))]];
}

function coversOfField(condition: Json, termOf: (value: Json) => string | undefined): readonly (readonly string[])[] {
  const termsOf = (values: readonly Json[]) => values.map(termOf).filter((term) => term !== undefined);
  if (!isJsonObject(condition) || !Object.keys(condition).some((key) => key.startsWith('$')))
    return termsOf([condition]).map((term) => [term]);
  const { $in: some, $all: all } = condition;
  const someTerms = Array.isArray(some) ? termsOf(some as readonly Json[]) : undefined;
  const covers = Array.isArray(some) && someTerms?.length === some.length ? [[...new Set(someTerms)]] : [];
  return [...covers, ...(Array.isArray(all) ? termsOf(all as readonly Json[]).map((term) => [term]) : [])];
}

/** Whether a condition asks for more than ids and channels by their names: then what it finds tells of the devices. */
export function hasConditions(where: JsonObject): boolean {
  return Object.entries(where).some(([field, condition]) => {
    if (field === '$and') return (condition as readonly JsonObject[]).some(hasConditions);
    return !NAMING_FIELDS.has(field) || !isNaming(condition);
  });
}

function isNaming(condition: Json): boolean {
  if (valuesOf(condition) !== undefined) return true;
  return isJsonObject(condition) && Object.keys(condition).join() === '$all';
}

/** The same condition with whatever can stand at its top there: the index answers nothing inside an `$and`. */
function lift(where: JsonObject): JsonObject {
  const { $and: branches, ...top } = where;
  if (!Array.isArray(branches)) return where;
  const lifted: Record<string, Json> = top;
  const left: JsonObject[] = [];
  for (const branch of (branches as readonly JsonObject[]).map(lift)) {
    const hasRoom = Object.keys(branch).every((key) => key !== '$and' && !Object.hasOwn(lifted, key));
    if (hasRoom) Object.assign(lifted, branch);
    else left.push(branch);
  }
  return left.length === 0 ? lifted : { ...lifted, $and: left };
}

function takeAddressed(where: Record<string, Json>): Audience['addressed'] {
  for (const field of ADDRESS_FIELDS) {
    const values = valuesOf(where[field]);
    if (!values) continue;
    delete where[field];
    return { field, values };
  }
  return undefined;
}

function takeSubscriptions(where: Record<string, Json>): readonly string[] | undefined {
  const values = valuesOf(where['channels']) ?? onlyOfAll(where['channels']);
  if (values) delete where['channels'];
  return values;
}

/** The strings that an equality or a lone `$in` allows; undefined for any other condition. */
function valuesOf(condition: Json | undefined): readonly string[] | undefined {
  if (typeof condition === 'string') return [condition];
  if (!isJsonObject(condition)) return undefined;
  const operands = condition['$in'];
  if (Object.keys(condition).length !== 1 || !Array.isArray(operands)) return undefined;
  const strings = (operands as readonly Json[]).filter((value) => typeof value === 'string');
  return strings.length === operands.length ? [...new Set(strings)] : undefined;
}

/** An `$all` of one name asks for what the name alone asks for. */
function onlyOfAll(condition: Json | undefined): readonly string[] | undefined {
  if (!isJsonObject(condition) || Object.keys(condition).join() !== '$all') return undefined;
  const values = valuesOf({ $in: condition['$all'] ?? [] });
  return values?.length === 1 ? values : undefined;
}

function compact({
  subscriptions,
  predicate,
}: {
  subscriptions?: readonly string[] | undefined;
  predicate: JsonObject;
}): Audience {
  return {
    ...(subscriptions ? { subscriptions } : {}),
    ...(Object.keys(predicate).length > 0 ? { predicate } : {}),
  };
}

/** The same audience where every device is looked at: subscriptions are a condition like others. */
export function withoutSubscriptions({ subscriptions, predicate, ...others }: Audience): Audience {
  const channels = subscriptions && { channels: { $in: [...subscriptions] } };
  const conditions = [predicate, channels].filter((one) => one !== undefined);
  const [only = {}] = conditions;
  return { ...others, ...compact({ predicate: conditions.length > 1 ? { $and: conditions } : only }) };
}

/** The one channel that a push is for; of several, none is. */
export function onlyChannelOf({ subscriptions, named = subscriptions }: Audience): string | undefined {
  return named?.length === 1 ? named[0] : undefined;
}
