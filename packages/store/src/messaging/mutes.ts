import { LIMITS } from '@pushfleet/domain';
import { isDone, luaScript } from '../kit/lua/script';
import type { MessagingParts } from './messaging-parts';

/** Who wants no push of a conversation. */
export interface Mutes {
  /** Adds all of them, or none: false when the conversation would have more than it may. */
  add(app: string, conversation: string, clients: readonly string[]): Promise<boolean>;
  remove(app: string, conversation: string, clients: readonly string[]): Promise<void>;
  /** In the order of their names. */
  list(app: string, conversation: string): Promise<readonly string[]>;
  /** Those of some clients that have muted it. */
  among(app: string, conversation: string, clients: readonly string[]): Promise<ReadonlySet<string>>;
}

const mute = luaScript('messaging/mute', {
  params: { muted: 'key', limit: 'number', clients: 'texts' },
  answer: isDone,
});

export function openMutes({ redis, keys, memory }: MessagingParts): Mutes {
  return {
    async add(app, conversation, clients) {
      await memory.requireRoom('request');
      return mute(redis, { muted: keys.mutes(app, conversation), limit: LIMITS.mutedClients.value, clients });
    },
    remove: async (app, conversation, clients) => void (await redis.srem(keys.mutes(app, conversation), ...clients)),
    list: async (app, conversation) => (await redis.smembers(keys.mutes(app, conversation))).sort(),
    async among(app, conversation, clients) {
      if (clients.length === 0) return new Set();
      const found = await redis.smismember(keys.mutes(app, conversation), ...clients);
      return new Set(clients.filter((_, i) => found[i] === 1));
    },
  };
}
