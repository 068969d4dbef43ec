import { groupBy, LIMITS } from '@pushfleet/domain';
import { luaScript, nothing } from '../kit/lua/script';
import { shardOf } from '../kit/shards';
import type { MessagingParts } from './messaging-parts';

/** Which installations are those of a client of the chat server. Nobody with the app key reads or writes them. */
export interface Bindings {
  /** Where a client has as many as it may, the one that was bound the longest ago goes. */
  bind(app: string, binding: Binding): Promise<void>;
  unbind(app: string, binding: Binding): Promise<void>;
  /** The installationIds of the clients that have one or more; the number of commands grows with the shards that are asked. */
  of(app: string, clients: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

export interface Binding {
  readonly client: string;
  /** Without white space. */
  readonly installationId: string;
}

const bind = luaScript('messaging/bind', {
  params: { bindings: 'key', client: 'text', installation: 'text', isBound: 'text', limit: 'number' },
  answer: nothing,
});

export function openBindings({ redis, keys, memory }: MessagingParts): Bindings {
  const change = (app: string, { client, installationId: installation }: Binding, isBound: '0' | '1') =>
    bind(redis, {
      ...{ bindings: keys.bindings(app, shardOf(client)), client, installation },
      ...{ isBound, limit: LIMITS.installationsOfClient.value },
    });
  return {
    async bind(app, binding) {
      await memory.requireRoom('request');
      await change(app, binding, '1');
    },
    unbind: (app, binding) => change(app, binding, '0'),
    async of(app, clients) {
      const found = await Promise.all(
        [...groupBy(clients, shardOf)].map(async ([shard, group]) => {
          const texts = await redis.hmget(keys.bindings(app, shard), ...group);
          return group.flatMap((client, i) => (texts[i] ? [[client, texts[i].split(' ')] as const] : []));
        }),
      );
      return new Map(found.flat());
    },
  };
}
