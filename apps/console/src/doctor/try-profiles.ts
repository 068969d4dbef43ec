import { hash } from 'node:crypto';
import type { ProfileRef, StoredProfile } from '@pushfleet/store';
import { isSchemaError } from '../http/parse';
import type { ConsolePorts } from '../ports';
import { tryCredentials } from '../try-credentials';
import { problem, verdict, warning, type Check } from './check';

type Ports = Pick<ConsolePorts, 'channels' | 'vendors' | 'now'>;

export interface OpenedProfile {
  readonly ref: ProfileRef;
  readonly stored: StoredProfile;
}

/** Whether every vendor takes the credentials of every profile. */
export type TryProfiles = (profiles: readonly OpenedProfile[]) => Promise<readonly Check[]>;

/** Vendors asked at once, and how long all of it may take: the caller waits, the command line for half a minute. */
const AT_ONCE = 8;
const BUDGET_MS = 20_000;

interface Trial {
  readonly check: Promise<Check>;
  /** Of what was tried. */
  readonly digest: string;
  readonly at: number;
}

/** Credentials are tried anew when they are others, or when their last verdict is older than it may be. */
export function openTrials(ports: Ports): (holdsMs: number) => TryProfiles {
  const known = new Map<string, Trial>();
  const nameOf = ({ ref: { app, channel, profile } }: OpenedProfile): string => `${app}/${channel}/${profile}`;
  return (holdsMs) => async (profiles) => {
    const names = new Set(profiles.map(nameOf));
    for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    return tryAll(ports, profiles, async (profile) => {
      const [name, at] = [nameOf(profile), ports.now()];
      const digest = hash('sha256', JSON.stringify(profile.stored.value));
      const last = known.get(name);
      if (last && last.digest === digest && at - last.at < holdsMs) return last.check;
      const check = tryProfile(ports, profile);
      known.set(name, { check, digest, at });
      check.catch(() => known.delete(name));
      return check;
    });
  };
}

async function tryAll(
  { now }: Ports,
  profiles: readonly OpenedProfile[],
  tryOne: (profile: OpenedProfile) => Promise<Check>,
): Promise<readonly Check[]> {
  const until = now() + BUDGET_MS;
  const waiting = [...profiles];
  const checks: Check[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && now() < until; next = waiting.shift()) checks.push(await tryOne(next));
  };
  await inTime(Promise.all(Array.from({ length: AT_ONCE }, worker)));
  const left = profiles.length - checks.length;
  if (left === 0) return checks.sort(bySubject);
  const advice = 'try them one by one: `pushfleet profiles test`';
  const untried = {
    check: 'profile',
    subject: '',
    ...warning(`${left} profiles were not tried for want of time`, advice),
  };
  return [...[...checks].sort(bySubject), untried];
}

/** Verdicts that come later are for the next look. */
async function inTime(trials: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, BUDGET_MS)));
  await Promise.race([trials, late]).finally(() => clearTimeout(timer));
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
  return verdict(about, `the vendor takes it${words === '' ? '' : `: ${words}`}`, [!ok && refusedFor(fault, words)]);
}

/** A vendor that has no time for the question says nothing about the credentials. */
function refusedFor(fault: string | undefined, words: string) {
  switch (fault) {
    case 'unreachable':
      return problem(
        `the vendor cannot be reached: ${words}`,
        'check the network, DNS and proxies between the console and the vendor',
      );
    case 'quota-exceeded':
    case 'throttled':
      return warning(
        `the vendor takes nothing of it now (${fault}): ${words}`,
        'wait until the vendor counts anew, or raise the allowance there',
      );
    case 'vendor-error':
      return problem(
        `the vendor is in trouble: ${words}`,
        'try it again later: `pushfleet profiles test`; if it lasts, ask the vendor',
      );
    default:
      return problem(
        `the vendor refuses it: ${words}`,
        "compare it with the vendor's developer console and save it again: `pushfleet profiles put`",
      );
  }
}

function validProfile<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isSchemaError(error)) return undefined;
    throw error;
  }
}
