import { jsonAnswer } from '@pushfleet/http-edge';
import { certificateChecks } from '../doctor/certificate-checks';
import { channelIndexChecks } from '../doctor/channel-index-checks';
import type { Check } from '../doctor/check';
import { columnIndexChecks } from '../doctor/column-index-checks';
import { decisionChecks } from '../doctor/decision-checks';
import { formatCheck } from '../doctor/format-check';
import { heldPushChecks } from '../doctor/held-pushes';
import { processChecks } from '../doctor/process-checks';
import { profileChecks } from '../doctor/profile-checks';
import { queueChecks } from '../doctor/queue-checks';
import { redisChecks } from '../doctor/redis-checks';
import { roomChecks } from '../doctor/room-checks';
import { securityChecks } from '../doctor/security-checks';
import { walkChecks } from '../doctor/walk-checks';
import { waitingPushChecks } from '../doctor/waiting-pushes';
import { get, LONG, type AdminRoute } from '../http/admin-route';
import type { ConsolePorts } from '../ports';

/** Looks the whole fleet over. A line that says `problem` needs somebody now, a `warning` needs somebody soon. */
export async function doctorChecks(ports: ConsolePorts): Promise<readonly Check[]> {
  const [redis, format, processes, profiles, queues, decisions, pushes, held, indexes, columns, walks, security, room] =
    await Promise.all([
      ports.redisFacts(),
      ports.store.format.state(),
      ports.store.processes.list(),
      profileChecks(ports),
      ports.queues.health(),
      decisionChecks(ports),
      waitingPushChecks(ports.store, ports.now()),
      heldPushChecks(ports),
      channelIndexChecks(ports.store, ports.now()),
      columnIndexChecks(ports.store, ports.now()),
      walkChecks(ports.store),
      securityChecks(ports),
      roomChecks(ports.store),
    ]);
  return [
    ...redisChecks(redis),
    formatCheck(format),
    ...processChecks(processes),
    ...certificateChecks(processes, ports.now()),
    ...profiles.checks,
    ...queueChecks(queues, profiles.used),
    ...decisions,
    ...pushes,
    ...held,
    ...indexes,
    ...columns,
    ...walks,
    ...security,
    ...room,
  ];
}

export const doctorRoutes = (ports: ConsolePorts): readonly AdminRoute[] => [
  get(
    '/doctor',
    async () => {
      const checks = await doctorChecks(ports);
      const isOk = checks.every(({ status }) => status !== 'problem');
      return jsonAnswer(200, { ok: isOk, at: new Date(ports.now()).toISOString(), checks });
    },
    LONG,
  ),
];
