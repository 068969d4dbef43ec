import { LIMITS } from '@pushfleet/domain';
import { luaScript } from '../kit/lua/script';
import { shardOf } from '../kit/shards';
import type { MessagingParts } from './messaging-parts';
import { withinRoom } from './within-room';

/** Who wants no push of a conversation. */
export interface Mutes {
  /** Adds all of them, or none: false when the conversation would have more than it may. Throws `AppFull` when the app would. */
  add(app: string, conversation: string, clients: readonly string[]): Promise<boolean>;
  remove(app: string, conversation: string, clients: readonly string[]): Promise<void>;
  /** In the order of their names. */
  list(app: string, conversation: string): Promise<readonly string[]>;
  /** Those of some clients that have muted it. */
  among(app: string, conversation: string, clients: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What a mute takes of Redis, about. */
export const MUTE_BYTES = 200;

const mute = luaScript('messaging/mute', {
  params: { muted: 'key', limit: 'number', most: 'number', from: 'text', to: 'text', members: 'texts' },
  answer: (added: number | 'too many' | 'no room') => added,
});

/** An id has no space. */
const memberOf =
  (conversation: string) =>
  (client: string): string =>
    `${conversation} ${client}`;
const membersOf = (conversation: string) => ({ from: `[${conversation} `, to: `(${conversation}!` });

export function openMutes({ redis, keys, memory, room }: MessagingParts): Mutes {
  const mutedOf = (app: string, conversation: string): string => keys.muted(app, shardOf(conversation));
  return {
    async add(app, conversation, clients) {
      await memory.requireRoom('request');
      let isWithinLimit = true;
      await withinRoom(room, { app, bytes: clients.length * MUTE_BYTES }, async (most) => {
        const added = await mute(redis, {
          muted: mutedOf(app, conversation),
          limit: LIMITS.mutedClients.value,
          most: most / MUTE_BYTES,
          ...membersOf(conversation),
          members: clients.map(memberOf(conversation)),
        });
        isWithinLimit = added !== 'too many';
        if (added === 'no room') return undefined;
        return added === 'too many' ? 0 : added * MUTE_BYTES;
      });
      return isWithinLimit;
    },
    async remove(app, conversation, clients) {
      const [removed] = await Promise.all([
        redis.zrem(mutedOf(app, conversation), ...clients.map(memberOf(conversation))),
        redis.srem(keys.mutesOfBefore(app, conversation), ...clients),
      ]);
      room.note(app, -removed * MUTE_BYTES);
    },
    async list(app, conversation) {
      const { from, to } = membersOf(conversation);
      const [members, before] = await Promise.all([
        redis.zrangebylex(mutedOf(app, conversation), from, to),
        redis.smembers(keys.mutesOfBefore(app, conversation)),
      ]);
      const clients = members.map((member) => member.slice(conversation.length + 1));
      return [...new Set([...clients, ...before])].sort();
    },
    async among(app, conversation, clients) {
      if (clients.length === 0) return new Set();
      const [scores, before] = await Promise.all([
        redis.zmscore(mutedOf(app, conversation), ...clients.map(memberOf(conversation))),
        redis.smismember(keys.mutesOfBefore(app, conversation), ...clients),
      ]);
      return new Set(clients.filter((_, i) => typeof scores[i] === 'string' || before[i] === 1));
    },
  };
}
