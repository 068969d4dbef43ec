import { plainJsonIn } from '@pushfleet/domain';
import { Cluster } from 'ioredis';
import { z } from 'zod';
import type { OwnChannelKeys } from './keys';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { rememberBriefly } from '../kit/remember-briefly';

/** A gateway process as it announces itself. */
export interface GatewayNode {
  readonly id: string;
  /** Where devices reach it. */
  readonly urls: readonly string[];
  /** Keeps the devices that it has and wants no new ones. */
  readonly isDraining: boolean;
}

/** A message to a gateway: mailboxes have something new, or a connection was taken over by another gateway. */
export type Hint = Readonly<z.infer<typeof hintSchema>>;

const hintSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stored'),
    app: z.string(),
    reference: z.string(),
    installationIds: z.array(z.string()).readonly(),
  }),
  z.object({ kind: z.literal('taken-over'), app: z.string(), installationId: z.string(), connection: z.string() }),
]);

const announcementSchema = z.object({ urls: z.array(z.string()).readonly(), isDraining: z.boolean() });

export interface HintListener {
  onHint(hint: Hint): void;
  /** The gateway received its own heartbeat. */
  onBeat(): void;
  /** Hints or presences may have been lost: every mailbox must be looked at. */
  onGap(): void;
  onError(error: Error): void;
}

export interface GatewayStore {
  /** A gateway without a beat for a while counts as dead. */
  beat(node: GatewayNode): Promise<void>;
  leave(nodeId: string): Promise<void>;
  /** The living gateways, at most a second old. */
  living(): Promise<readonly GatewayNode[]>;
  /** A hint may be lost: the mailbox holds the message all the same. */
  hint(nodeId: string, hint: Hint): Promise<void>;
  /** Listens on a connection of its own until the returned function is called. */
  listen(nodeId: string, listener: HintListener): Promise<() => void>;
}

/** Three missed heartbeats. */
const DEAD_AFTER_MS = 15_000;
const FORGOTTEN_AFTER_MS = 600_000;
const SEQUENCE_LIFE_MS = 3_600_000;

const announce = luaScript('own-channel/beat', {
  params: { gateways: 'key', node: 'text', announcement: 'text' },
  constants: { FORGOTTEN_AFTER_MS },
  answer: nothing,
});

const readLiving = luaScript('own-channel/living', {
  params: { gateways: 'key' },
  constants: { DEAD_AFTER_MS },
  answer: (flat: readonly string[]): readonly GatewayNode[] =>
    flat.flatMap((id, i) => {
      if (i % 2 === 1) return [];
      // One that is damaged counts as silent: a gateway that lives announces itself anew with its next beat.
      const { data } = announcementSchema.safeParse(plainJsonIn(flat[i + 1] ?? ''));
      return data ? [{ id, ...data }] : [];
    }),
});

const publishHint = luaScript('own-channel/hint', {
  params: { sequence: 'key', channel: 'text', hint: 'text' },
  constants: { SEQUENCE_LIFE_MS },
  answer: nothing,
});

interface Parts {
  readonly redis: RedisClient;
  readonly keys: OwnChannelKeys;
  readonly now: () => number;
}

export function openGateways(parts: Parts): GatewayStore {
  const { redis, keys, now } = parts;
  const nodes = rememberBriefly(() => readLiving(redis, { gateways: keys.gateways() }), now);
  const publish = (nodeId: string, hint: string): Promise<void> => publishHint(redis, { ...keys.hints(nodeId), hint });
  return {
    async beat({ id, ...announcement }) {
      await announce(redis, { gateways: keys.gateways(), node: id, announcement: JSON.stringify(announcement) });
      // An empty hint shows the listener that no hint before it was lost.
      await publish(id, '');
    },
    leave: async (nodeId) => void (await redis.hdel(keys.gateways(), nodeId)),
    living: () => nodes.get(''),
    hint: (nodeId, hint) => publish(nodeId, JSON.stringify(hint)),
    listen: (nodeId, listener) => listen(parts, nodeId, listener),
  };
}

/** A subscription waits for Redis to come back, even where commands fail fast. */
const PATIENT = { enableOfflineQueue: true };

async function listen({ redis, keys }: Parts, nodeId: string, listener: HintListener): Promise<() => void> {
  const { channel } = keys.hints(nodeId);
  const subscriber =
    redis instanceof Cluster
      ? redis.duplicate([], { ...PATIENT, shardedSubscribers: true })
      : redis.duplicate({ ...PATIENT, maxRetriesPerRequest: null });
  subscriber.on('error', (error: Error) => listener.onError(error));
  let last: number | undefined;
  subscriber.on('smessage', (_channel: string, message: string) => {
    const space = message.indexOf(' ');
    const number = Number(message.slice(0, space));
    if (last !== undefined && number !== last + 1) listener.onGap();
    last = number;
    const payload = message.slice(space + 1);
    if (payload === '') return listener.onBeat();
    const { data: hint, error } = hintSchema.safeParse(plainJsonIn(payload));
    if (hint) return listener.onHint(hint);
    listener.onError(new Error('a hint cannot be read', { cause: error }));
    listener.onGap();
  });
  // A failover may lose presences and hints, which no gap in the sequence shows.
  const reconnects = redis instanceof Cluster ? ['+node', '-node'] : ['ready'];
  const onReconnect = (): void => listener.onGap();
  for (const event of reconnects) redis.on(event, onReconnect);
  const stop = (): void => {
    for (const event of reconnects) redis.removeListener(event, onReconnect);
    subscriber.disconnect();
  };
  await subscriber.ssubscribe(channel).catch((error: unknown) => {
    stop();
    throw error;
  });
  return stop;
}
