import { processName, type FleetProcess } from '@pushfleet/store';
import { problem, verdict, warning, type Check } from './check';

/** What stands still in a fleet without a process of the role; workers are looked at queue by queue. */
const WITHOUT: Readonly<Record<string, ReturnType<typeof problem>>> = {
  ingress: problem('none lives: nobody takes pushes and saves', 'start an ingress'),
  dispatcher: problem('none lives: accepted pushes are not planned', 'start a dispatcher'),
  gateway: warning('none lives: devices of the own channel cannot connect', 'start a gateway, unless no build uses it'),
  'user-info': warning('none lives: nobody answers who a user is', 'start a user-info, unless nobody asks'),
};

const UNSEEN = warning(
  'none is seen: no process can write that it lives',
  'see redis-writes, and look again afterwards',
);

/** Whether every role has a living process, and whether all of them are of one kind; and whether Redis refuses writes. */
export const processChecks = (
  processes: readonly FleetProcess[],
  { isRefusing = false }: { readonly isRefusing?: boolean } = {},
): readonly Check[] => [
  ...Object.entries(WITHOUT).map(([role, fault]) => {
    const count = processes.filter((process) => process.role === role).length;
    return verdict({ check: 'processes', subject: role }, `${count} at work`, [
      count === 0 && (isRefusing ? UNSEEN : fault),
    ]);
  }),
  sameCheck(
    'process-versions',
    valuesOf(processes, 'version'),
    'restart those of the other version, all but the newest',
  ),
  sameCheck('process-keys', valuesOf(processes, 'keyId'), 'give every process the same SECRET_KEY, and restart it'),
  ...clockChecks(processes),
];

/** A beat of a busy process, or to a busy Redis, is seconds on its way. */
const CLOCK_WARNING_MS = 5000;
const CLOCK_PROBLEM_MS = 30_000;
const SET_CLOCK = 'run chrony or another NTP client on its machine';

interface Clock {
  readonly name: string;
  readonly clockAheadMs: number;
}

/** The process whose clock is farthest from that of Redis; nothing where none tells. */
function clockChecks(processes: readonly FleetProcess[]): readonly Check[] {
  const clocks = processes
    .flatMap((process): readonly Clock[] => {
      const { clockAheadMs } = process;
      return clockAheadMs === undefined ? [] : [{ name: processName(process), clockAheadMs }];
    })
    .toSorted((a, b) => a.clockAheadMs - b.clockAheadMs);
  const farthest = clocks.toSorted((a, b) => Math.abs(b.clockAheadMs) - Math.abs(a.clockAheadMs))[0];
  const middle = clocks[Math.floor(clocks.length / 2)];
  if (!farthest || !middle) return [];
  const distance = Math.abs(farthest.clockAheadMs);
  const isOfRedis = Math.abs(middle.clockAheadMs) > CLOCK_WARNING_MS;
  const [found, advice] = isOfRedis ? redisIsOff(middle) : processIsOff(farthest);
  return [
    verdict({ check: 'process-clocks', subject: '' }, `at most ${distance} ms from the clock of Redis`, [
      distance > CLOCK_PROBLEM_MS && problem(found, advice),
      distance > CLOCK_WARNING_MS && warning(found, advice),
    ]),
  ];
}

const apart = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s ${ms < 0 ? 'behind' : 'ahead of'}`;

const processIsOff = ({ name, clockAheadMs }: Clock): readonly [found: string, advice: string] => [
  `${name} is ${apart(clockAheadMs)} Redis: it goes by the clock of Redis, and what waits for its time may be late`,
  SET_CLOCK,
];

/** Where most are wrong by the same, it is not they. */
const redisIsOff = ({ clockAheadMs }: Clock): readonly [found: string, advice: string] => [
  `Redis is ${apart(-clockAheadMs)} most processes, which go by its clock: times that senders name are taken for others`,
  'run chrony or another NTP client on the machine of Redis; if that clock is right, on those of the processes',
];

const valuesOf = (processes: readonly FleetProcess[], field: 'version' | 'keyId'): readonly string[] =>
  [...new Set(processes.flatMap((process) => process[field] ?? []))].sort();

function sameCheck(check: string, values: readonly string[], advice: string): Check {
  const found = values.length === 0 ? 'nobody tells any' : values.join(', ');
  return verdict({ check, subject: '' }, found, [
    values.length > 1 && warning(`differ: ${found}; fine only while one replaces the other`, advice),
  ]);
}
