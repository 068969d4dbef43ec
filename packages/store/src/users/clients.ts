import { z } from 'zod';
import type { UserKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { damagedRecord, readableOf, recordIn } from '../kit/damaged-record';
import { ownersLike, type Listed } from './listed';

/** A path that ends in `.` or `..` is another path. */
export const clientIdSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, - or _, and neither . nor ..');

/** The developer of clients that name none: one per deployment. */
export const DEFAULT_DEVELOPER = 'default';

/** An app that may ask about users, by its Client ID. */
export const clientSchema = z.strictObject({
  client_id: clientIdSchema,
  name: z.string().max(256),
  developer_id: clientIdSchema.describe('Clients of one developer see the same unionid of a user.'),
});

export type Client = z.output<typeof clientSchema>;

export interface ClientStore {
  put(client: Client): Promise<void>;
  /** False, and nothing changed, when there is such a client. */
  create(client: Client): Promise<boolean>;
  get(clientId: string): Promise<Client | undefined>;
  /** Some of all, in no order. */
  list(cursor?: string): Promise<Listed<Client>>;
  has(clientId: string): Promise<boolean>;
  /** Its tokens are refused as long as it is gone. False when there is no such client. */
  remove(clientId: string): Promise<boolean>;
}

/** Clients that were stored without a developer have the default one. */
function clientIn(text: string): Client | undefined {
  const stored = recordIn(text);
  return stored && ({ developer_id: DEFAULT_DEVELOPER, ...stored } as unknown as Client);
}

export function decodeClient(clientId: string, text: string): Client {
  const client = clientIn(text);
  if (client) return client;
  throw damagedRecord(`the client ${JSON.stringify(clientId)}`);
}

export function openClients({ redis, keys }: { redis: RedisClient; keys: UserKeys }): ClientStore {
  return {
    put: async (client) => void (await redis.set(keys.client(client.client_id), JSON.stringify(client))),
    create: async (client) => (await redis.set(keys.client(client.client_id), JSON.stringify(client), 'NX')) === 'OK',
    async get(clientId) {
      const text = await redis.get(keys.client(clientId));
      return text === null ? undefined : decodeClient(clientId, text);
    },
    async list(cursor) {
      const { results, ...page } = await ownersLike(redis, keys.client('*'), cursor);
      const found = await Promise.all(results.map(async (id) => [id, await redis.get(keys.client(id))] as const));
      return { ...page, ...readableOf(found, clientIn) };
    },
    has: async (clientId) => (await redis.exists(keys.client(clientId))) === 1,
    remove: async (clientId) => (await redis.del(keys.client(clientId))) === 1,
  };
}
