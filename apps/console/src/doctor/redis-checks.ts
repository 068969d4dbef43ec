import { MEMORY_LIMITS, type RedisFacts } from '@pushfleet/store';
import { problem, verdict, warning, type Check } from './check';

const LEAST_VERSION = 7;
const CLOCK_WARNING_MS = 1000;
const CLOCK_PROBLEM_MS = 30_000;

/** How every Redis master must be set up, and how full it may be. */
export const redisChecks = (nodes: readonly RedisFacts[]): readonly Check[] =>
  nodes.flatMap((node) => [
    versionCheck(node),
    writesCheck(node),
    policyCheck(node),
    memoryCheck(node),
    persistenceCheck(node),
    clockCheck(node),
    passwordCheck(node),
    rightsCheck(node),
  ]);

function versionCheck({ node, version }: RedisFacts): Check {
  const about = { check: 'redis-version', subject: node };
  return verdict(about, version, [
    !(Number.parseInt(version, 10) >= LEAST_VERSION) &&
      problem(
        version === '' ? 'tells no version' : `is ${version}`,
        `upgrade to Redis ${LEAST_VERSION}.0 or later, or Valkey`,
      ),
  ]);
}

/** By the word that Redis begins with. */
const REFUSED: Readonly<Record<string, string>> = {
  OOM: 'raise maxmemory, or add masters, or remove installations',
  MISCONF: 'see the log of Redis; most often the disk is full',
  NOREPLICAS: 'bring its replicas back; min-replicas-to-write says how many it wants',
  READONLY: 'it is a replica: let REDIS_URL lead to the master',
};

function writesCheck({ node, refusal }: RedisFacts): Check {
  return verdict({ check: 'redis-writes', subject: node }, 'takes writes', [
    refusal !== undefined &&
      problem(
        `refuses every write, so nothing is accepted and nothing goes on: ${refusal}`,
        REFUSED[refusal.split(' ', 1)[0] ?? ''] ?? 'see the log of Redis',
      ),
  ]);
}

function passwordCheck({ node, isOpen }: RedisFacts): Check {
  const advice = 'set requirepass, or users with ACL, and put the password into REDIS_URL';
  return verdict({ check: 'redis-password', subject: node }, 'asks for a password, or is on this machine alone', [
    isOpen && warning('is reached over a network without a password: whoever reaches it owns the fleet', advice),
  ]);
}

/** Processes that run lose what somebody takes from their user; those that start are refused. */
function rightsCheck({ node, rights: { refused, lacks } }: RedisFacts): Check {
  const spared = lacks.length === 0 ? '' : `, without ${lacks.join('; ')}`;
  return verdict({ check: 'redis-user', subject: node }, `may run what a fleet runs${spared}`, [
    refused.length > 0 &&
      problem(
        `the user of REDIS_URL may not run ${refused.join(', ')}: what needs it fails`,
        `ACL SETUSER NAME ${refused.map((command) => `+${command}`).join(' ')}; docs/operate.md lists all that it needs`,
      ),
  ]);
}

function policyCheck({ node, memory: { evictionPolicy } }: RedisFacts): Check {
  const about = { check: 'redis-eviction', subject: node };
  return verdict(about, evictionPolicy, [
    evictionPolicy !== 'noeviction' &&
      problem(
        `maxmemory-policy is ${evictionPolicy === '' ? 'unknown' : evictionPolicy}: a full Redis throws away accepted pushes`,
        'CONFIG SET maxmemory-policy noeviction, and the same in redis.conf',
      ),
  ]);
}

function memoryCheck({ node, memory: { usedBytes, maxBytes } }: RedisFacts): Check {
  const about = { check: 'redis-memory', subject: node };
  if (maxBytes === 0)
    return verdict(about, '', [
      problem(
        'maxmemory is not set: Redis grows until the system kills it',
        'CONFIG SET maxmemory to at most 70 % of the memory of the machine, and the same in redis.conf',
      ),
    ]);
  const ratio = usedBytes / maxBytes;
  const used = `${percent(ratio)} of ${megabytes(maxBytes)} MB used`;
  return verdict(about, used, [
    ratio >= MEMORY_LIMITS.request &&
      problem(`${used}: pushes and saves are refused`, 'raise maxmemory, or add masters, or remove installations'),
    ratio >= MEMORY_LIMITS.bulk &&
      warning(
        `${used}: imports and mailboxes have stopped`,
        `raise maxmemory, or add masters, before it reaches ${percent(MEMORY_LIMITS.request)}`,
      ),
  ]);
}

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

function persistenceCheck({ node, appendOnly, fsync, isLogWritten }: RedisFacts): Check {
  const about = { check: 'redis-persistence', subject: node };
  const loss =
    fsync === 'always' ? 'no accepted push' : fsync === 'everysec' ? 'up to about a second' : 'an unknown part';
  return verdict(about, `appendonly, appendfsync ${fsync ?? 'not told'}: a crash of its machine loses ${loss}`, [
    appendOnly === undefined &&
      warning('does not tell whether it persists', 'make sure that the service keeps an append-only file'),
    appendOnly === false &&
      problem(
        'appendonly is off: a restart loses what was accepted since the last snapshot',
        'CONFIG SET appendonly yes, and the same in redis.conf',
      ),
    !isLogWritten &&
      problem('the append-only file could not be written', 'see the log of Redis; most often the disk is full'),
    fsync === 'no' &&
      warning('appendfsync is no: a crash loses up to half a minute', 'CONFIG SET appendfsync everysec, or always'),
  ]);
}

function clockCheck({ node, clockAheadMs }: RedisFacts): Check {
  const about = { check: 'redis-clock', subject: node };
  const distance = Math.abs(clockAheadMs);
  const found = `${distance} ms ${clockAheadMs < 0 ? 'behind' : 'ahead of'} the console`;
  const advice = 'run chrony or another NTP client on both machines';
  const harm = clockAheadMs < 0 ? 'too late' : 'too early';
  return verdict(about, found, [
    distance > CLOCK_PROBLEM_MS &&
      problem(
        `${found}: times that senders name are reached ${harm}, and signed requests and right credentials may be refused`,
        advice,
      ),
    distance > CLOCK_WARNING_MS && warning(found, advice),
  ]);
}
