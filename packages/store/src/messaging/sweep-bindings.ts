import { LIMITS } from '@pushfleet/domain';
import { replaceField } from '../kit/compare';
import { entriesIn, textOf, type Entry } from './binding-text';
import type { MessagingParts } from './messaging-parts';

export interface BindingSweep {
  readonly shard: number;
  /** In ms since the epoch. */
  readonly now: number;
}

const SCAN_COUNT = 500;
const KEPT_MS = LIMITS.boundWithoutInstallationMs.value;

/**
 * Goes once through the clients of a shard. An installation that is missed may be saved anew: its binding is marked with the time, and
 * removed when a sweep misses the installation so long after that.
 */
export async function sweepBindings(
  { redis, keys, existing }: MessagingParts,
  app: string,
  { shard, now }: BindingSweep,
): Promise<void> {
  const bindings = keys.bindings(app, shard);
  let cursor = '0';
  do {
    const [next, flat] = await redis.hscan(bindings, cursor, 'COUNT', SCAN_COUNT);
    const clients = clientsIn(flat);
    const installationIds = clients.flatMap(({ entries }) => entries.map(({ installationId }) => installationId));
    const there = await existing(app, [...new Set(installationIds)]);
    await Promise.all(
      clients.map(async ({ client, text, entries }) => {
        const to = textOf(entries.flatMap((entry) => sweptEntry(entry, { there, now })));
        // A client that is bound or unbound meanwhile is swept the next time.
        if (to !== text) await replaceField(redis, { hash: bindings, field: client, from: text, to });
      }),
    );
    cursor = next;
  } while (cursor !== '0');
}

const clientsIn = (flat: readonly string[]) =>
  flat.flatMap((client, i) => {
    const text = flat[i + 1] ?? '';
    return i % 2 === 0 ? [{ client, text, entries: entriesIn(text) }] : [];
  });

function sweptEntry(
  { missedAt, ...entry }: Entry,
  { there, now }: { readonly there: ReadonlySet<string>; readonly now: number },
): readonly Entry[] {
  if (there.has(entry.installationId)) return [entry];
  if (missedAt === undefined) return [{ ...entry, missedAt: now }];
  return now - missedAt > KEPT_MS ? [] : [{ ...entry, missedAt }];
}
