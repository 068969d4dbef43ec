import { UnreadableSecret, type ProfileRef, type StoredProfile } from '@pushfleet/store';
import { isSchemaError } from '../http/parse';
import type { ConsolePorts } from '../ports';
import { profilesOf } from '../profile-list';
import { tryCredentials } from '../try-credentials';
import { problem, verdict, warning, type Check } from './check';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'vendors' | 'now'>;

/** Vendors asked at once, and how long all of it may take: the caller waits. */
const AT_ONCE = 8;
const BUDGET_MS = 20_000;

/** Whether SECRET_KEY opens what is sealed, and whether every vendor takes the credentials of every profile. */
export async function profileChecks(ports: Ports): Promise<{ checks: readonly Check[]; used: ReadonlySet<string> }> {
  const apps = (await ports.store.apps.list()).map(({ id }) => id);
  const sealed = await Promise.all(apps.map((app) => isOpened(() => ports.store.apps.get(app))));
  const refs = (await Promise.all(apps.map((app) => profilesOf(ports.store, app)))).flat();
  const opened = await Promise.all(refs.map((ref) => openProfile(ports, ref)));
  const isReadable = [...sealed, ...opened.map((profile) => profile !== 'sealed')];
  const tried = await tryAll(
    ports,
    refs.flatMap((ref, i) => profileAt(ref, opened[i])),
  );
  const used = new Set(refs.map(({ channel }) => channel));
  return { used, checks: [secretCheck(isReadable), ...tried] };
}

interface OpenedProfile {
  readonly ref: ProfileRef;
  readonly stored: StoredProfile;
}

const profileAt = (ref: ProfileRef, stored: StoredProfile | 'sealed' | undefined): readonly OpenedProfile[] =>
  stored === undefined || stored === 'sealed' ? [] : [{ ref, stored }];

const isOpened = (open: () => Promise<unknown>): Promise<boolean> =>
  open().then(
    () => true,
    (error: unknown) => sealedOr(error, false),
  );

const openProfile = ({ store }: Ports, ref: ProfileRef): Promise<StoredProfile | 'sealed' | undefined> =>
  store.profiles.get(ref).catch((error: unknown) => sealedOr(error, 'sealed' as const));

/** Whatever Redis itself says is nothing about keys. */
function sealedOr<T>(error: unknown, sealed: T): T {
  if (error instanceof UnreadableSecret) return sealed;
  throw error;
}

function secretCheck(isReadable: readonly boolean[]): Check {
  const locked = isReadable.filter((readable) => !readable).length;
  return verdict({ check: 'secret-key', subject: '' }, `opens all ${isReadable.length} apps and profiles`, [
    locked > 0 &&
      problem(
        `opens ${isReadable.length - locked} of ${isReadable.length} apps and profiles`,
        'set SECRET_KEY_PREVIOUS of every process to the key that was used before, and restart them',
      ),
  ]);
}

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
