import { fewAtOnce, type ProfileRef, type SealingStatus, type StoredProfile } from '@pushfleet/store';
import type { ConsolePorts } from '../ports';
import { profilesOf } from '../profile-list';
import { problem, sealedOr, verdict, warning, type Check } from './check';
import type { OpenedProfile, TryProfiles } from './try-profiles';

type Ports = Pick<ConsolePorts, 'store'>;

/** How the secrets are sealed, and whether every vendor takes the credentials of every profile. */
export async function profileChecks(
  ports: Ports,
  tryProfiles: TryProfiles,
): Promise<{ checks: readonly Check[]; used: ReadonlySet<string> }> {
  const apps = (await ports.store.apps.list()).map(({ id }) => id);
  const refs = (await fewAtOnce(apps, (app) => profilesOf(ports.store, app))).flat();
  const opened = await fewAtOnce(refs, (ref) => openProfile(ports, ref));
  const tried = await tryProfiles(refs.flatMap((ref, i) => profileAt(ref, opened[i])));
  const used = new Set(refs.map(({ channel }) => channel));
  return { used, checks: [await secretCheck(ports), ...tried] };
}

const profileAt = (ref: ProfileRef, stored: StoredProfile | 'sealed' | undefined): readonly OpenedProfile[] =>
  stored === undefined || stored === 'sealed' ? [] : [{ ref, stored }];

const openProfile = ({ store }: Ports, ref: ProfileRef): Promise<StoredProfile | 'sealed' | undefined> =>
  store.profiles.get(ref).catch((error: unknown) => sealedOr(error, 'sealed' as const));

const SECRET_KEY = { check: 'secret-key', subject: '' };
const WRONG_KEY = 'give the console the SECRET_KEY of the other processes, and restart it';

async function secretCheck({ store: { sealing } }: Pick<Ports, 'store'>): Promise<Check> {
  const status = await sealing.status().catch((error: unknown) => sealedOr(error, undefined));
  if (!status) return { ...SECRET_KEY, ...problem('opens nothing that the fleet seals', WRONG_KEY) };
  const { counts, stale, unreadable, phase, unreadableMacTokens, damaged } = status;
  const total = sum(counts);
  const sealedBy = (which: 'previous' | 'unknown'): number => sum(counts.filter(({ key }) => key === which));
  const [previous, strange] = [sealedBy('previous'), sealedBy('unknown')];
  return verdict(SECRET_KEY, `opens all ${total} secrets, and sealed every one of them`, [
    strange > 0 &&
      problem(
        `opens ${total - unreadable} of ${total} secrets`,
        'set SECRET_KEY_PREVIOUS of every process to the key that was used before, and restart them',
      ),
    unreadable > strange &&
      problem(
        `${unreadable - strange} of ${total} secrets were altered, or stand in the place of others`,
        'no key opens them: save the profiles, keys and tokens again that the logs name',
      ),
    unreadableMacTokens.length > 0 &&
      problem(
        `${unreadableMacTokens.length} records of MAC tokens are damaged`,
        'delete the keys that `pushfleet secrets status` names: whoever had such a token signs in again',
      ),
    previous > 0 &&
      warning(
        `${previous} of ${total} secrets are sealed with the previous key`,
        'once every process has the new key: `pushfleet secrets reseal`; until then keep SECRET_KEY_PREVIOUS',
      ),
    (stale > 0 || phase !== 'required') &&
      warning(
        `${stale} of ${total} secrets are sealed as an earlier release did, not bound to their places`,
        'once every process is of this release: `pushfleet secrets reseal`',
      ),
    damaged.length > 0 &&
      warning(
        `what Redis says of a reseal is damaged (${damaged.join(', ')})`,
        'no secret depends on it; `pushfleet secrets reseal` writes it anew',
      ),
  ]);
}

const sum = (counts: SealingStatus['counts']): number => counts.reduce((all, { count }) => all + count, 0);
