import { WAIT_TEXTS, type WaitReason } from '@pushfleet/domain';
import { readBacklogs } from '../backlog';
import type { ConsolePorts } from '../ports';
import { ok, warning, type Check } from './check';

/** What others of these checks tell of (decisions of operators, held pushes), and calls that are simply not over. */
const TOLD_ELSEWHERE: ReadonlySet<WaitReason> = new Set(['paused', 'draining', 'unrecognised-answer', 'under-way']);
/** Somebody can do something about these. The others go on by themselves. */
const NEEDS_SOMEBODY: ReadonlySet<WaitReason> = new Set(['quota-exceeded', 'breaker-open']);

/** What waits for a vendor or a budget, from the moment on in which it does. */
export async function backlogChecks(ports: Pick<ConsolePorts, 'store'>): Promise<readonly Check[]> {
  const { channels } = await readBacklogs(ports);
  return channels.flatMap(({ channel, waiting }) =>
    waiting.flatMap(({ reason, pushes, devices, until }) => {
      if (TOLD_ELSEWHERE.has(reason)) return [];
      const about = { check: 'devices-waiting', subject: channel };
      const finding = `${devices} devices wait (pushes: ${pushes}): ${reason}, until ${new Date(until).toISOString()}`;
      return [
        NEEDS_SOMEBODY.has(reason) ? { ...about, ...warning(finding, WAIT_TEXTS[reason].remedy) } : ok(about, finding),
      ];
    }),
  );
}
