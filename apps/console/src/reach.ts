import { bucketOf, profileOf, vendorOf, type FateOf, type JsonObject, type Unreachable } from '@pushfleet/domain';
import type { ConsolePorts } from './ports';

/** Devices of one vendor with one fate. */
export interface Reach {
  /** As the devices name it; `ios`, or `none`. */
  readonly vendor: string;
  /** Absent when a push would reach them. */
  readonly reason?: Unreachable;
  /** Named where it is what is missing. */
  readonly profile?: string;
  readonly count: number;
}

export interface ReachRules {
  readonly fateOf: FateOf;
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly staleBefore: number;
}

/** More kinds than this are told as one for each reason: devices may name any vendor. */
const MAX_KINDS = 100;

/** Counts devices by vendor and by whether, and why not, a push would reach them; `kinds` are those counted before. */
export function reachOf(
  docs: readonly JsonObject[],
  rules: ReachRules,
  kinds = new Map<string, Reach>(),
): readonly Reach[] {
  for (const doc of docs) {
    const kind = kindOf(doc, rules);
    const told = kinds.has(keyOf(kind)) || kinds.size < MAX_KINDS ? kind : otherThan(kind);
    const { count } = kinds.get(keyOf(told)) ?? told;
    kinds.set(keyOf(told), { ...told, count: count + 1 });
  }
  return [...kinds.values()];
}

const keyOf = ({ vendor, reason, profile }: Reach): string => [vendor, reason, profile].join(' ');

/** Whether, and why not, they are reached is told of the others as well. */
const otherThan = ({ reason }: Reach): Reach => ({ vendor: 'others', ...(reason ? { reason } : {}), count: 0 });

function kindOf(doc: JsonObject, { fateOf, vendors, staleBefore }: ReachRules): Reach {
  const kind = { vendor: nameOf(doc), count: 0 };
  const bucket = bucketOf(doc, vendors, false);
  if (bucket === undefined) return { ...kind, reason: 'not-valid' };
  if (Date.parse(String(doc['updatedAt'] ?? doc['createdAt'])) < staleBefore) return { ...kind, reason: 'stale' };
  const fate = fateOf(bucket);
  if (!('discard' in fate)) return kind;
  const profile = fate.discard === 'profile-missing' ? { profile: profileOf(doc['deviceProfile']) } : {};
  return { ...kind, reason: fate.discard, ...profile };
}

/** Channels by what devices call them. */
export const vendorsOf = ({ channels }: Pick<ConsolePorts, 'channels'>): ReadonlyMap<string, string> =>
  new Map([...channels].map(([name, { vendor }]) => [vendor, name]));

const nameOf = (doc: JsonObject): string =>
  doc['deviceType'] === 'ios' ? 'ios' : (vendorOf(doc)?.slice(0, 40) ?? 'none');
