import { openStore, type ProfileRef, type StoredProfile } from '@pushfleet/store';
import { unique } from '@pushfleet/testing';
import type { ConsoleHarness } from './console-harness';

/** A profile as a fleet with another SECRET_KEY would have stored it. */
export async function putStrangeProfile(
  { redis, namespace }: Pick<ConsoleHarness, 'redis' | 'namespace'>,
  ref: ProfileRef,
  profile: StoredProfile,
): Promise<void> {
  const secretKey = Buffer.alloc(32, 9).toString('base64');
  const elsewhere = unique(namespace);
  await openStore({ redis, namespace: elsewhere, secretKey, vendors: new Map() }).profiles.put(ref, profile);
  const field = `${ref.channel}/${ref.profile}`;
  const sealed = await redis.hget(`${elsewhere}:profiles:{${ref.app}}`, field);
  await redis.hset(`${namespace}:profiles:{${ref.app}}`, field, sealed ?? '');
}
