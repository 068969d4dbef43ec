import { Router } from 'express';
import { profileChecks } from '../doctor/profile-checks';
import { queueChecks } from '../doctor/queue-checks';
import { redisChecks } from '../doctor/redis-checks';
import { securityChecks } from '../doctor/security-checks';
import { waitingPushChecks } from '../doctor/waiting-pushes';
import type { ConsolePorts } from '../ports';

/** Looks the whole fleet over. A line that says `problem` needs somebody now, a `warning` needs somebody soon. */
export function doctorRoutes(ports: ConsolePorts): Router {
  const router = Router();
  router.get('/doctor', async (_req, res) => {
    const [redis, profiles, queues, pushes, security] = await Promise.all([
      ports.redisFacts(),
      profileChecks(ports),
      ports.queues.health(),
      waitingPushChecks(ports.store, ports.now()),
      securityChecks(ports),
    ]);
    const checks = [
      ...redisChecks(redis),
      ...profiles.checks,
      ...queueChecks(queues, profiles.used),
      ...pushes,
      ...security,
    ];
    const isOk = checks.every(({ status }) => status !== 'problem');
    res.json({ ok: isOk, at: new Date(ports.now()).toISOString(), checks });
  });
  return router;
}
