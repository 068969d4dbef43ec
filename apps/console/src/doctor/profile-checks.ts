import { isUnreadableSecret, type ProfileRef, type SealingStatus, type StoredProfile } from '@pushfleet/store';
import { isSchemaError } from '../http/parse';
import type { ConsolePorts } from '../ports';
import { profilesOf } from '../profile-list';
import { tryCredentials } from '../try-credentials';
import { problem, verdict, warning, type Check } from './check';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'vendors' | 'now'>;

/** Vendors asked at once, and how long all of it may take: the caller waits. */
const AT_ONCE = 8;
const BUDGET_MS = 20_000;

/** How the secrets are sealed, and whether every vendor takes the credentials of every profile. */
export async function profileChecks(ports: Ports): Promise<{ checks: readonly Check[]; used: ReadonlySet<string> }> {
  const apps = (await ports.store.apps.list()).map(({ id }) => id);
  const refs = (await Promise.all(apps.map((app) => profilesOf(ports.store, app)))).flat();
  const opened = await Promise.all(refs.map((ref) => openProfile(ports, ref)));
  const tried = await tryAll(
    ports,
    refs.flatMap((ref, i) => profileAt(ref, opened[i])),
  );
  const used = new Set(refs.map(({ channel }) => channel));
  return { used, checks: [await secretCheck(ports), ...tried] };
}

interface OpenedProfile {
  readonly ref: ProfileRef;
  readonly stored: StoredProfile;
}

const profileAt = (ref: ProfileRef, stored: StoredProfile | 'sealed' | undefined): readonly OpenedProfile[] =>
  stored === undefined || stored === 'sealed' ? [] : [{ ref, stored }];

const openProfile = ({ store }: Ports, ref: ProfileRef): Promise<StoredProfile | 'sealed' | undefined> =>
  store.profiles.get(ref).catch((error: unknown) => sealedOr(error, 'sealed' as const));

/** Whatever Redis itself says is nothing about keys. */
function sealedOr<T>(error: unknown, sealed: T): T {
  if (isUnreadableSecret(error)) return sealed;
  throw error;
}

const SECRET_KEY = { check: 'secret-key', subject: '' };
const WRONG_KEY = 'give the console the SECRET_KEY of the other processes, and restart it';

async function secretCheck({ store: { sealing } }: Pick<Ports, 'store'>): Promise<Check> {
  const status = await sealing.status().catch((error: unknown) => sealedOr(error, undefined));
  if (!status) return { ...SECRET_KEY, ...problem('opens nothing that the fleet seals', WRONG_KEY) };
  const { counts, stale, unreadable, phase } = status;
  const total = sum(counts);
  const previous = sum(counts.filter(({ key }) => key === 'previous'));
  return verdict(SECRET_KEY, `opens all ${total} secrets, and sealed every one of them`, [
    unreadable > 0 &&
      problem(
        `opens ${total - unreadable} of ${total} secrets`,
        'set SECRET_KEY_PREVIOUS of every process to the key that was used before, and restart them',
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
  ]);
}

const sum = (counts: SealingStatus['counts']): number => counts.reduce((all, { count }) => all + count, 0);

async function tryAll(ports: Ports, profiles: readonly OpenedProfile[]): Promise<readonly Check[]> {
  const until = ports.now() + BUDGET_MS;
  const waiting = [...profiles];
  const checks: Check[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && ports.now() < until; next = waiting.shift())
      checks.push(await tryProfile(ports, next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const left = profiles.length - checks.length;
  if (left === 0) return checks.sort(bySubject);
  const advice = 'try them one by one: `pushfleet profiles test`';
  const untried = {
    check: 'profile',
    subject: '',
    ...warning(`${left} profiles were not tried for want of time`, advice),
  };
  return [...checks.sort(bySubject), untried];
}

const bySubject = (one: Check, other: Check): number => one.subject.localeCompare(other.subject);

async function tryProfile({ channels, vendors }: Ports, { ref, stored }: OpenedProfile): Promise<Check> {
  const about = { check: 'profile', subject: `${ref.app}/${ref.channel}/${ref.profile}` };
  const channel = channels.get(ref.channel);
  if (!channel)
    return verdict(about, '', [warning('is of a channel that this version does not have', 'delete the profile')]);
  const value = validProfile(() => channel.parseProfile(stored.value));
  if (!value) return verdict(about, '', [problem('is not valid any more', 'save it again: `pushfleet profiles put`')]);
  const { ok, fault, vendorCode, vendorMessage } = await tryCredentials(channel, value, vendors);
  const words = [vendorCode, vendorMessage].filter((word) => word !== null).join(' ');
  return verdict(about, `the vendor takes it${words === '' ? '' : `: ${words}`}`, [
    !ok &&
      fault === 'unreachable' &&
      problem(
        `the vendor cannot be reached: ${words}`,
        'check the network, DNS and proxies between the console and the vendor',
      ),
    !ok &&
      problem(
        `the vendor refuses it: ${words}`,
        "compare it with the vendor's developer console and save it again: `pushfleet profiles put`",
      ),
  ]);
}

function validProfile<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isSchemaError(error)) return undefined;
    throw error;
  }
}
