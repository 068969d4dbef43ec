import type { FleetProcess } from '@pushfleet/store';
import { problem, verdict, warning, type Check } from './check';

/** What stands still in a fleet without a process of the role; workers are looked at queue by queue. */
const WITHOUT: Readonly<Record<string, ReturnType<typeof problem>>> = {
  ingress: problem('none lives: nobody takes pushes and saves', 'start an ingress'),
  dispatcher: problem('none lives: accepted pushes are not planned', 'start a dispatcher'),
  gateway: warning('none lives: devices of the own channel cannot connect', 'start a gateway, unless no build uses it'),
  'user-info': warning('none lives: nobody answers who a user is', 'start a user-info, unless nobody asks'),
};

/** Whether every role has a living process, and whether all of them are of one kind. */
export const processChecks = (processes: readonly FleetProcess[]): readonly Check[] => [
  ...Object.entries(WITHOUT).map(([role, fault]) => {
    const count = processes.filter((process) => process.role === role).length;
    return verdict({ check: 'processes', subject: role }, `${count} at work`, [count === 0 && fault]);
  }),
  sameCheck(
    'process-versions',
    valuesOf(processes, 'version'),
    'restart those of the other version, all but the newest',
  ),
  sameCheck('process-keys', valuesOf(processes, 'keyId'), 'give every process the same SECRET_KEY, and restart it'),
];

const valuesOf = (processes: readonly FleetProcess[], field: 'version' | 'keyId'): readonly string[] =>
  [...new Set(processes.flatMap((process) => process[field] ?? []))].sort();

function sameCheck(check: string, values: readonly string[], advice: string): Check {
  const found = values.length === 0 ? 'nobody tells any' : values.join(', ');
  return verdict({ check, subject: '' }, found, [
    values.length > 1 && warning(`differ: ${found}; fine only while one replaces the other`, advice),
  ]);
}
