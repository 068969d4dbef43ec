import type { SealingProgress, SealingStatus } from '@pushfleet/store';
import { Router } from 'express';
import type { ConsolePorts } from '../ports';

/** How the secrets of the fleet are sealed, and sealing all of them anew. */
export function secretRoutes({ store: { sealing } }: Pick<ConsolePorts, 'store'>): Router {
  const router = Router();
  router.get('/secrets', async (req, res) => {
    res.json(req.query['progress'] === '1' ? progressView(await sealing.progress()) : view(await sealing.status()));
  });
  // A console does the work; repeated, it changes nothing about what is under way.
  router.post('/secrets', async (_req, res) => {
    await sealing.beginReseal();
    res.status(202).json(progressView(await sealing.progress()));
  });
  return router;
}

const view = ({ counts, stale, unreadable, ...progress }: SealingStatus): object => ({
  ...progressView(progress),
  ...{ counts, stale, unreadable },
});

const iso = (ms: number): string => new Date(ms).toISOString();

const progressView = ({ reseal, last, ...state }: SealingProgress): object => ({
  ...state,
  ...(reseal && { reseal: { ...reseal, startedAt: iso(reseal.startedAt), updatedAt: iso(reseal.updatedAt) } }),
  ...(last && { last: { ...last, endedAt: iso(last.endedAt) } }),
});
