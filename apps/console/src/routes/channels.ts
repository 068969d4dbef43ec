import { Router } from 'express';
import type { ConsolePorts } from '../ports';

export function channelRoutes({ queueDepths }: Pick<ConsolePorts, 'queueDepths'>): Router {
  const router = Router();
  router.get('/channels', async (_req, res) => {
    res.json({ results: await queueDepths() });
  });
  return router;
}
