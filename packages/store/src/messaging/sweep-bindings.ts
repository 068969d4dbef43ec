import { LIMITS } from '@pushfleet/domain';
import { isDone, luaScript, nothing } from '../kit/lua/script';
import { bytesOfClient, CLIENT_BYTES, entriesIn, textOf, type Entry } from './binding-text';
import type { MessagingParts } from './messaging-parts';

export interface BindingSweep {
  readonly shard: number;
  /** In ms since the epoch. */
  readonly now: number;
}

const SCAN_COUNT = 500;
const KEPT_MS = LIMITS.boundWithoutInstallationMs.value;

const replaceBindings = luaScript('messaging/replace-bindings', {
  params: { bindings: 'key', bytes: 'key', client: 'text', from: 'text', to: 'text' },
  constants: { CLIENT_BYTES },
  answer: isDone,
});

const correctBytes = luaScript('messaging/correct-bytes', {
  params: { bindings: 'key', bytes: 'key', clients: 'number', changes: 'number', to: 'number' },
  answer: nothing,
});

/**
 * Goes once through the clients of a shard. An installation that is missed may be saved anew: its binding is marked with the time, and
 * removed when a sweep misses the installation so long after that. What all of it takes is counted anew, since
 * builds before the ceiling did not count; where somebody binds or unbinds meanwhile, the next sweep does.
 */
export async function sweepBindings(
  { redis, keys, existing }: MessagingParts,
  app: string,
  { shard, now }: BindingSweep,
): Promise<void> {
  const [bindings, bytes] = [keys.bindings(app, shard), keys.bindingBytes(app, shard)];
  let [clientsLeft, found] = [0, 0];
  let [counted = 0, changes = 0] = (await redis.hmget(bytes, 'bytes', 'changes')).map(Number);
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
        const isSwept = to !== text && (await replaceBindings(redis, { bindings, bytes, client, from: text, to }));
        const size = bytesOfClient(client, isSwept ? to : text);
        found += size;
        clientsLeft += Number(size > 0);
        counted += size - bytesOfClient(client, text);
        changes += Number(isSwept);
      }),
    );
    cursor = next;
  } while (cursor !== '0');
  if (found !== counted) await correctBytes(redis, { bindings, bytes, clients: clientsLeft, changes, to: found });
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
