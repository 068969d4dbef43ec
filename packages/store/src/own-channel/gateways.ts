import { Cluster } from 'ioredis';
import type { OwnChannelKeys } from './keys';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** A gateway process as it announces itself. */
export interface GatewayNode {
  readonly id: string;
  /** Where devices reach it. */
  readonly urls: readonly string[];
  /** Keeps the devices that it has and wants no new ones. */
  readonly isDraining: boolean;
}

/** What a gateway is told: installations with something new in their mailboxes, or a connection that was taken over. */
export type Hint =
  | {
      readonly kind: 'stored';
      readonly app: string;
      readonly reference: string;
      readonly installationIds: readonly string[];
    }
  | {
      readonly kind: 'taken-over';
      readonly app: string;
      readonly installationId: string;
      readonly connection: string;
    };

export interface HintListener {
  onHint(hint: Hint): void;
  /** The node's own heartbeat came around. */
  onBeat(): void;
  /** Hints or presences may have been lost: every mailbox must be looked at. */
  onGap(): void;
  onError(error: Error): void;
}

export interface GatewayStore {
  /** A node that does not do so for a while counts as dead. */
  beat(node: GatewayNode): Promise<void>;
  leave(nodeId: string): Promise<void>;
  /** The living nodes, at most a second old. */
  living(): Promise<readonly GatewayNode[]>;
  /** May be lost: the mailbox is the truth. */
  hint(nodeId: string, hint: Hint): Promise<void>;
  /** Has a connection of its own, until the returned function is called. */
  listen(nodeId: string, listener: HintListener): Promise<() => void>;
}

/** Three heartbeats that are missing. */
const DEAD_AFTER_MS = 15_000;
const FORGOTTEN_AFTER_MS = 600_000;
const CACHE_MS = 1000;
const SEQUENCE_LIFE_MS = 3_600_000;

const announce = luaScript('own-channel/beat', {
  params: { gateways: 'key', node: 'text', announcement: 'text' },
  answer: nothing,
});

const readLiving = luaScript('own-channel/living', {
  params: { gateways: 'key' },
  constants: { DEAD_AFTER_MS, FORGOTTEN_AFTER_MS },
  answer: (flat: readonly string[]): readonly GatewayNode[] =>
    flat.flatMap((id, i) => {
      if (i % 2 === 1) return [];
      return [{ id, ...(JSON.parse(flat[i + 1] ?? '{}') as Omit<GatewayNode, 'id'>) }];
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
  let cached: { readonly until: number; readonly nodes: Promise<readonly GatewayNode[]> } | undefined;
  const publish = (nodeId: string, hint: string): Promise<void> => publishHint(redis, { ...keys.hints(nodeId), hint });
  return {
    async beat({ id, ...announcement }) {
      await announce(redis, { gateways: keys.gateways(), node: id, announcement: JSON.stringify(announcement) });
      // Tells that nothing is missing at the end of the sequence.
      await publish(id, '');
    },
    leave: async (nodeId) => void (await redis.hdel(keys.gateways(), nodeId)),
    living() {
      if (cached && cached.until > now()) return cached.nodes;
      const nodes = readLiving(redis, { gateways: keys.gateways() });
      cached = { until: now() + CACHE_MS, nodes };
      nodes.catch(() => (cached = undefined));
      return nodes;
    },
    hint: (nodeId, hint) => publish(nodeId, JSON.stringify(hint)),
    listen: (nodeId, listener) => listen(parts, nodeId, listener),
  };
}

/** A subscription outlasts outages, whatever its owner does with commands. */
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
    if (payload === '') listener.onBeat();
    else listener.onHint(JSON.parse(payload) as Hint);
  });
  // What a failover lost is not in any sequence: presence among it.
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
