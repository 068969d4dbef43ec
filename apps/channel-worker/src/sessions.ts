import type { ChannelDeps, ChannelSession, VendorChannel } from '@pushfleet/channel-kit';
import { budgetOf, isStillAhead, repeatUnknownOf, type Budget } from '@pushfleet/domain';
import { type AppProfile, profileKey, type ProfileStore, type StoredProfile } from '@pushfleet/store';
import type { RepeatPolicy } from './may-repeat';

export interface OpenedSession {
  readonly session: ChannelSession;
  readonly receiptKey: string;
  /** The limits that hold for the profile. */
  readonly budget: Budget;
  readonly repeats: RepeatPolicy;
  /** The vendor has accepted a device with these credentials since they were opened. */
  hasAccepted: boolean;
}

/** One channel session per app and profile, opened on first use and again when the profile changes. */
export interface Sessions {
  /** Undefined when the profile does not exist any more. */
  get(of: AppProfile): Promise<OpenedSession | undefined>;
}

/** Sessions with the credentials of profiles. */
export interface ProfileSessions extends Sessions {
  /** Looks at every profile again before its session is used. */
  recheck(): void;
}

interface Entry {
  readonly text: string;
  readonly opened: OpenedSession;
  /** Until then it is used without another look at the profile. */
  freshUntil: number;
  usedAt: number;
}

/** A changed credential is used after this time at the latest, even if this process did not hear of the change. */
const RECHECK_MS = 2000;
/** Another process may have the key of a secret that cannot be opened; this one gets it with its next start. */
export const UNREADABLE_WAIT_MS = 5000;
/** One that was not used for so long may be of a profile or an app that is gone. */
const IDLE_MS = 86_400_000;

/** The channel of the profile is not served here: its devices are booked as having no profile. */
export function openSessions(
  channel: VendorChannel | undefined,
  profiles: ProfileStore,
  deps: ChannelDeps,
): ProfileSessions {
  const entries = new Map<string, Entry>();
  let rechecks = 0;
  const open = (from: VendorChannel, stored: StoredProfile): OpenedSession => ({
    session: from.open(stored.value, deps),
    receiptKey: stored.receiptKey,
    budget: budgetOf(from.budget, stored.value['budget']),
    repeats: {
      repeatUnknown: repeatUnknownOf(stored.value['repeatUnknown']),
      deduplicates: from.capabilities.deduplicates,
    },
    hasAccepted: false,
  });
  const forgetIdle = (): void => {
    for (const [name, { usedAt }] of entries) if (deps.now() - usedAt > IDLE_MS) entries.delete(name);
  };
  return {
    async get(of) {
      if (!channel) return undefined;
      const name = profileKey(of);
      const known = entries.get(name);
      if (known) known.usedAt = deps.now();
      if (known && isStillAhead(known.freshUntil, deps.now(), RECHECK_MS)) return known.opened;
      const before = rechecks;
      const stored = await profiles.get({ app: of.app, channel: channel.name, profile: of.profile });
      // What was read before a recheck is good for the page that asked, and for no other.
      const freshUntil = before === rechecks ? deps.now() + RECHECK_MS : -Infinity;
      if (!stored) {
        entries.delete(name);
        return undefined;
      }
      const text = JSON.stringify(stored);
      if (known?.text === text) {
        known.freshUntil = freshUntil;
        return known.opened;
      }
      const opened = open(channel, stored);
      forgetIdle();
      entries.set(name, { text, opened, freshUntil, usedAt: deps.now() });
      return opened;
    },
    recheck() {
      rechecks += 1;
      for (const entry of entries.values()) entry.freshUntil = -Infinity;
    },
  };
}
