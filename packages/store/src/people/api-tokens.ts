import { appScopeSchema, LIMITS, roleSchema } from '@pushfleet/domain';
import { z } from 'zod';
import type { RedisClient } from '../kit/redis';
import { openBoundedHash, type BoundedHash } from './bounded-hash';
import type { PeopleKeys } from './people-keys';

/** What a program presents to the admin API; its secret is kept as a digest. */
export const apiTokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: roleSchema,
  apps: appScopeSchema,
  digest: z.string(),
  /** Milliseconds since the epoch, as the other one. */
  createdAt: z.number(),
  expiresAt: z.number(),
  createdBy: z.string(),
});

export type ApiToken = z.output<typeof apiTokenSchema>;

/** By ids. */
export type ApiTokenStore = BoundedHash<ApiToken>;

export const openApiTokens = ({ redis, keys }: { redis: RedisClient; keys: PeopleKeys }): ApiTokenStore =>
  openBoundedHash({
    redis,
    key: keys.apiTokens(),
    max: LIMITS.apiTokens.value,
    schema: apiTokenSchema,
    kind: 'API token',
  });
