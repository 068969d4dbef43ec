import { LIMITS } from '@pushfleet/domain';
import { fieldsByCursor } from '../kit/hash-fields';
import { isDone, luaScript, nothing } from '../kit/lua/script';
import { bytesOfClient, CLIENT_BYTES, entriesIn, textOf, type Entry } from './binding-text';
import type { MessagingParts } from './messaging-parts';

export interface BindingSweep {
  readonly shard: number;
  /** In ms since the epoch. */
  readonly now: number;
}

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
  for await (const fields of fieldsByCursor(redis, bindings)) {
    const clients = fields.map(([client, text]) => ({ client, text, entries: entriesIn(text) }));
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
  }
  if (found !== counted) await correctBytes(redis, { bindings, bytes, clients: clientsLeft, changes, to: found });
}

function sweptEntry(
  { missedAt, ...entry }: Entry,
  { there, now }: { readonly there: ReadonlySet<string>; readonly now: number },
): readonly Entry[] {
  if (there.has(entry.installationId)) return [entry];
  if (missedAt === undefined) return [{ ...entry, missedAt: now }];
  return now - missedAt > KEPT_MS ? [] : [{ ...entry, missedAt }];
}
