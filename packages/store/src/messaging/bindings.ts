import { groupBy, LIMITS } from '@pushfleet/domain';
import { luaScript } from '../kit/lua/script';
import { shardOf } from '../kit/shards';
import { bytesOfClient, CLIENT_BYTES, entriesIn, textOf } from './binding-text';
import type { MessagingParts } from './messaging-parts';
import { sweepBindings, type BindingSweep } from './sweep-bindings';
import { withinRoom } from './within-room';

/** Which installations are those of a client of the chat server. Nobody with the app key reads or writes them. */
export interface Bindings {
  /** Where a client has as many as it may, the one that was bound the longest ago goes. Throws `AppFull` where the app has as much. */
  bind(app: string, binding: Binding): Promise<void>;
  /** Ends those that have any of the ids, or had it when they were bound; resolves with their installationIds. */
  unbind(app: string, from: { readonly client: string; readonly ids: readonly string[] }): Promise<readonly string[]>;
  /** The installationIds of the clients that have one or more; the number of commands grows with the shards that are asked. */
  of(app: string, clients: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Ends those of one shard whose installations have been gone for long. */
  sweep(app: string, of: BindingSweep): Promise<void>;
}

export interface Binding {
  readonly client: string;
  /** Without white space. */
  readonly installationId: string;
  /** By which it can be ended when the installation is gone; absent before its first save. */
  readonly objectId?: string;
}

const bind = luaScript('messaging/bind', {
  params: {
    bindings: 'key',
    bytes: 'key',
    client: 'text',
    installation: 'text',
    limit: 'number',
    most: 'number',
    ids: 'texts',
  },
  constants: { CLIENT_BYTES },
  answer: (changed: readonly [growth: number, ended: readonly string[]] | null) => changed ?? undefined,
});

interface Change {
  readonly client: string;
  /** '' where none is bound. */
  readonly installation: string;
  readonly ids: readonly string[];
  /** By how many bytes it may grow. */
  readonly most: number;
}

export function openBindings(parts: MessagingParts): Bindings {
  const { redis, keys, memory, room } = parts;
  const change = (app: string, of: Change) => {
    const shard = shardOf(of.client);
    return bind(redis, {
      bindings: keys.bindings(app, shard),
      bytes: keys.bindingBytes(app, shard),
      limit: LIMITS.installationsOfClient.value,
      ...of,
    });
  };
  return {
    async bind(app, { client, installationId, objectId }) {
      await memory.requireRoom('request');
      const ids = objectId === undefined ? [installationId] : [installationId, objectId];
      const installation = textOf([{ installationId, objectId: objectId ?? '' }]);
      // One more for the space to the next.
      await withinRoom(room, { app, bytes: bytesOfClient(client, installation) + 1 }, async (most) => {
        const [growth] = (await change(app, { client, installation, ids, most })) ?? [];
        return growth;
      });
    },
    async unbind(app, { client, ids }) {
      const [growth = 0, ended = []] = (await change(app, { client, installation: '', ids, most: 0 })) ?? [];
      room.note(app, growth);
      return ended;
    },
    async of(app, clients) {
      const found = await Promise.all(
        [...groupBy(clients, shardOf)].map(async ([shard, group]) => {
          const texts = await redis.hmget(keys.bindings(app, shard), ...group);
          return group.flatMap((client, i) => (texts[i] ? [[client, installationIdsIn(texts[i])] as const] : []));
        }),
      );
      return new Map(found.flat());
    },
    sweep: (app, of) => sweepBindings(parts, app, of),
  };
}

const installationIdsIn = (text: string): readonly string[] =>
  entriesIn(text).map(({ installationId }) => installationId);
