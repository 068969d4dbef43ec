import { isDeepStrictEqual } from 'node:util';
import { BoundedMap, bucketOfProfile, isStillAhead, keptWords, type JsonObject } from '@pushfleet/domain';
import type { AccountKeys } from './keys';
import { recordIn } from '../kit/damaged-record';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { ProfileRef } from './profile-ref';

/** What the vendor said when the credentials of a profile were tested. */
interface ProfileTest {
  readonly ok: boolean;
  readonly vendorCode: string | null;
  readonly vendorMessage: string | null;
  readonly fault?: string;
}

/** What became known of a profile since it is there; times are milliseconds. */
export interface ProfileNote {
  /** Of the credentials that are stored now. */
  readonly lastTest?: ProfileTest & { readonly at: number };
  readonly receiptSeenAt?: number;
}

export interface ProfileNotes {
  noteOf(ref: ProfileRef): Promise<ProfileNote>;
  /** Notes what a vendor said of the credentials `tested`, unless others were saved meanwhile. */
  noteTest(ref: ProfileRef, tested: JsonObject, test: ProfileTest): Promise<void>;
  /** Notes that a receipt came now. A process writes that once a minute for a profile, however many come. */
  noteReceipt(ref: ProfileRef): Promise<void>;
}

const noteProfile = luaScript('accounts/note-profile', {
  params: { profiles: 'key', notes: 'key', name: 'text', sealed: 'text', field: 'text', text: 'text' },
  answer: nothing,
});

const NOTE_AGAIN_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** The fields of a profile among the notes of its app. */
export function noteFields(ref: ProfileRef): Readonly<Record<'test' | 'receipt', string>> {
  const name = bucketOfProfile(ref.channel, ref.profile);
  return { test: `test ${name}`, receipt: `receipt ${name}` };
}

interface NoteParts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys;
  readonly now: () => number;
  /** What is in a profile as it is stored. */
  readonly valueOf: (ref: ProfileRef, sealed: string) => Promise<JsonObject>;
}

export function openProfileNotes({ redis, keys, now, valueOf }: NoteParts): ProfileNotes {
  const quietUntil = new BoundedMap<string, number>(MOST_REMEMBERED);
  const placeOf = (ref: ProfileRef) => ({
    profiles: keys.profiles(ref.app),
    notes: keys.profileNotes(ref.app),
    name: bucketOfProfile(ref.channel, ref.profile),
  });
  return {
    async noteOf(ref) {
      const { test, receipt } = noteFields(ref);
      const [tested = null, seenAt = null] = await redis.hmget(keys.profileNotes(ref.app), test, receipt);
      const lastTest = recordIn(tested ?? '') as ProfileNote['lastTest'];
      return {
        ...(lastTest ? { lastTest } : {}),
        ...(seenAt === null ? {} : { receiptSeenAt: Number(seenAt) }),
      };
    },
    async noteTest(ref, tested, { ok, fault, vendorCode, vendorMessage }) {
      const place = placeOf(ref);
      const sealed = await redis.hget(place.profiles, place.name);
      if (sealed === null || !isDeepStrictEqual(await valueOf(ref, sealed), tested)) return;
      const { vendorCode: code = null, vendorMessage: words = null } = keptWords({
        vendorCode: vendorCode ?? undefined,
        vendorMessage: vendorMessage ?? undefined,
      });
      const text = JSON.stringify({ at: now(), ok, fault, vendorCode: code, vendorMessage: words });
      await noteProfile(redis, { ...place, sealed, field: noteFields(ref).test, text });
    },
    async noteReceipt(ref) {
      const [place, at] = [placeOf(ref), now()];
      const id = `${ref.app}/${place.name}`;
      if (isStillAhead(quietUntil.get(id) ?? 0, at, NOTE_AGAIN_MS)) return;
      quietUntil.set(id, at + NOTE_AGAIN_MS);
      try {
        await noteProfile(redis, { ...place, sealed: '', field: noteFields(ref).receipt, text: at });
      } catch (error) {
        quietUntil.delete(id);
        throw error;
      }
    },
  };
}
