import { Cluster, type Redis } from 'ioredis';
import { CLUSTER_COMMANDS, FLEET_COMMANDS, SPARE_COMMANDS } from './fleet-commands';
import { luaScript } from './lua/script';
import type { RedisClient } from './redis';
import { mastersOf } from './redis-settings';

/** What the user of this process may not do, of what a fleet does. */
export interface RedisRights {
  /** Commands that it cannot work without. */
  readonly refused: readonly string[];
  /** What it lacks for want of others. */
  readonly lacks: readonly string[];
}

const refusedOf = luaScript('kit/refused-commands', {
  params: { key: 'text', commands: 'texts' },
  answer: (names: readonly string[]) => names,
});

/** Redis is asked, and not tried: whatever is refused stands in its ACL LOG. */
export async function rightsAt(node: Redis, isCluster: boolean, namespace: string): Promise<RedisRights> {
  const needed = isCluster ? [...FLEET_COMMANDS, ...CLUSTER_COMMANDS] : FLEET_COMMANDS;
  const spare = Object.keys(SPARE_COMMANDS);
  const names = await refusedOf(node, { key: `${namespace}:`, commands: [...needed, ...spare] });
  return {
    refused: names.filter((name) => !spare.includes(name)),
    lacks: spare.filter((name) => names.includes(name)).map((name) => `${name}: ${SPARE_COMMANDS[name] ?? ''}`),
  };
}

/** A process that may not do what it has to. */
export class CommandsRefused extends Error {
  override readonly name = 'CommandsRefused';

  constructor(readonly commands: readonly string[]) {
    super(`Redis refuses ${commands.join(', ')}`);
  }
}

/** Throws `CommandsRefused` unless every master lets this process do what a fleet does with keys of this namespace. */
export async function requireRights(redis: RedisClient, namespace: string): Promise<void> {
  const isCluster = redis instanceof Cluster;
  const found = await Promise.all(mastersOf(redis).map((node) => rightsAt(node, isCluster, namespace)));
  const refused = new Set(found.flatMap((rights) => rights.refused));
  if (refused.size > 0) throw new CommandsRefused([...refused]);
}
