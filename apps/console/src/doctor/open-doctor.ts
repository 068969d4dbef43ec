import { backlogChecks } from './backlog-checks';
import { certificateChecks } from './certificate-checks';
import { channelIndexChecks } from './channel-index-checks';
import type { Check } from './check';
import { columnIndexChecks } from './column-index-checks';
import { decisionChecks } from './decision-checks';
import { formatCheck } from './format-check';
import { gather } from './gather';
import { heldPushChecks } from './held-pushes';
import { processChecks } from './process-checks';
import { profileChecks } from './profile-checks';
import { queueChecks } from './queue-checks';
import { redisChecks } from './redis-checks';
import { roomChecks } from './room-checks';
import { appRecordChecks, proxyChecks, securityChecks } from './security-checks';
import { walkChecks } from './walk-checks';
import { waitingPushChecks } from './waiting-pushes';
import type { ConsolePorts } from '../ports';
import { sharedRuns } from './shared-runs';
import { openTrials, type TryProfiles } from './try-profiles';

/** Vendors count how often credentials are tried: of the same ones a verdict holds for so long. */
const ASKED_HOLDS_MS = 10_000;
const WATCHED_HOLDS_MS = 300_000;

export interface Doctor {
  /** Those who ask while the fleet is looked over share the next look. */
  examine(): Promise<readonly Check[]>;
  /** For pages that are open: with what vendors said of credentials within the last minutes. */
  glance(): Promise<readonly Check[]>;
}

export function openDoctor(ports: ConsolePorts): Doctor {
  const trials = openTrials(ports);
  return {
    examine: sharedRuns(() => lookOver(ports, trials(ASKED_HOLDS_MS))),
    glance: () => lookOver(ports, trials(WATCHED_HOLDS_MS)),
  };
}

/** Looks the whole fleet over. A line that says `problem` needs somebody now, a `warning` needs somebody soon. */
async function lookOver(ports: ConsolePorts, tryCredentials: TryProfiles): Promise<readonly Check[]> {
  const [
    redis,
    format,
    processes,
    gateways,
    profiles,
    queues,
    decisions,
    pushes,
    backlog,
    held,
    indexes,
    columns,
    walks,
    security,
    records,
    room,
  ] = await Promise.all([
    ports.redisFacts(),
    ports.store.format.state(),
    ports.store.processes.list(),
    ports.store.gateways.living(),
    profileChecks(ports, tryCredentials),
    ports.queues.health(),
    decisionChecks(ports),
    waitingPushChecks(ports.store, ports.now()),
    backlogChecks(ports),
    heldPushChecks(ports),
    channelIndexChecks(ports.store, ports.now()),
    columnIndexChecks(ports.store, ports.now()),
    walkChecks(ports.store),
    securityChecks(ports),
    appRecordChecks(ports.store),
    roomChecks(ports.store),
  ]);
  return gather([
    ...redisChecks(redis),
    formatCheck(format),
    ...processChecks(processes, { isRefusing: redis.some(({ refusal }) => refusal !== undefined) }),
    ...certificateChecks(processes, ports.now()),
    ...profiles.checks,
    ...queueChecks(queues, profiles.used),
    ...decisions,
    ...pushes,
    ...backlog,
    ...held,
    ...indexes,
    ...columns,
    ...walks,
    ...proxyChecks({ ...ports, processes, gateways }),
    ...records,
    ...security,
    ...room,
  ]);
}
