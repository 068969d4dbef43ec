import type { Keys } from './keys';
import { defineScript, runScript, type RedisClient } from './redis';

/** Which connection of which gateway holds an installation. */
export interface Presence {
  readonly node: string;
  readonly connection: string;
}

export interface Attached {
  /** The connection that held the installation before; undefined when none did. */
  readonly previous: Presence | undefined;
  /** The mailbox as it was right after the presence was written, oldest first. */
  readonly references: readonly string[];
}

/** Where installations are connected. Only a hint for whoever writes mailboxes: nothing is lost when it is wrong. */
export interface PresenceStore {
  /** Takes the installation over from whoever held it. */
  attach(app: string, installationId: string, presence: Presence): Promise<Attached>;
  /** The mailbox, for who still holds the installation; undefined when another connection took it over. */
  renew(app: string, installationId: string, presence: Presence): Promise<readonly string[] | undefined>;
  /** Does nothing when another connection took the installation over. */
  detach(app: string, installationId: string, presence: Presence): Promise<void>;
}

/** A presence that nobody renews goes by itself; before that it does not count, as its gateway's heartbeat is over. */
const LIFE_MS = 2 * 3_600_000;

const encodePresence = ({ node, connection }: Presence): string => `${node} ${connection}`;

export function decodePresence(text: string): Presence | undefined {
  const [node, connection] = text.split(' ');
  return node && connection ? { node, connection } : undefined;
}

/** KEYS presence, mailbox; ARGV presence, life in ms. Answers the presence before, then the mailbox. */
const attachScript = defineScript(`
local answer = redis.call('ZRANGE', KEYS[2], 0, -1)
table.insert(answer, 1, redis.call('GET', KEYS[1]) or '')
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return answer`);

/** The same for who holds it or finds it forgotten; answers nothing when it is somebody else's. */
const renewScript = defineScript(`
if (redis.call('GET', KEYS[1]) or ARGV[1]) ~= ARGV[1] then return false end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return redis.call('ZRANGE', KEYS[2], 0, -1)`);

const detachScript = defineScript(
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
);

export function openPresence({ redis, keys }: { redis: RedisClient; keys: Keys }): PresenceStore {
  const keysOf = (app: string, installationId: string): readonly string[] => [
    keys.presence(app, installationId),
    keys.mailbox(app, installationId),
  ];
  return {
    async attach(app, installationId, presence) {
      const args = [encodePresence(presence), LIFE_MS];
      const answer = await runScript(redis, attachScript, { keys: keysOf(app, installationId), args });
      const [previous = '', ...references] = answer as string[];
      return { previous: decodePresence(previous), references };
    },
    async renew(app, installationId, presence) {
      const args = [encodePresence(presence), LIFE_MS];
      const answer = await runScript(redis, renewScript, { keys: keysOf(app, installationId), args });
      return (answer as string[] | null) ?? undefined;
    },
    async detach(app, installationId, presence) {
      const args = [encodePresence(presence)];
      await runScript(redis, detachScript, { keys: [keys.presence(app, installationId)], args });
    },
  };
}
