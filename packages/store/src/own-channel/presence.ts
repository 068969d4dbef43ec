import type { OwnChannelKeys } from './keys';
import { deleteSame } from '../kit/compare';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

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

/** Where installations are connected. A wrong presence loses nothing: the mailbox is written in any case. */
export interface PresenceStore {
  /** Undefined when no connection holds the installation; a gateway that died may still be named. */
  of(app: string, installationId: string): Promise<Presence | undefined>;
  /** Takes the installation over from the connection that held it. */
  attach(app: string, installationId: string, presence: Presence): Promise<Attached>;
  /** Resolves with the mailbox while this connection holds the installation; undefined when another one took it over. */
  renew(app: string, installationId: string, presence: Presence): Promise<readonly string[] | undefined>;
  /** Does nothing when another connection took the installation over. */
  detach(app: string, installationId: string, presence: Presence): Promise<void>;
}

/** A presence that is not renewed expires. The presence of a dead gateway counts no longer than the heartbeat of that gateway. */
const LIFE_MS = 2 * 3_600_000;

const encodePresence = ({ node, connection }: Presence): string => `${node} ${connection}`;

export function decodePresence(text: string): Presence | undefined {
  const [node, connection] = text.split(' ');
  return node && connection ? { node, connection } : undefined;
}

const PRESENCE = { place: 'key', mailbox: 'key', presence: 'text', lifeMs: 'text' } as const;

const attach = luaScript('own-channel/attach', {
  params: PRESENCE,
  answer: ([previous = '', ...references]: readonly string[]): Attached => ({
    previous: decodePresence(previous),
    references,
  }),
});

const renew = luaScript('own-channel/renew', {
  params: PRESENCE,
  answer: (references: readonly string[] | null) => references ?? undefined,
});

export function openPresence({ redis, keys }: { redis: RedisClient; keys: OwnChannelKeys }): PresenceStore {
  const heldBy = (app: string, installationId: string, presence: Presence) => ({
    place: keys.presence(app, installationId),
    mailbox: keys.mailbox(app, installationId),
    presence: encodePresence(presence),
    lifeMs: LIFE_MS,
  });
  return {
    of: async (app, installationId) => decodePresence((await redis.get(keys.presence(app, installationId))) ?? ''),
    attach: (app, installationId, presence) => attach(redis, heldBy(app, installationId, presence)),
    renew: (app, installationId, presence) => renew(redis, heldBy(app, installationId, presence)),
    async detach(app, installationId, presence) {
      await deleteSame(redis, { name: keys.presence(app, installationId), text: encodePresence(presence) });
    },
  };
}
