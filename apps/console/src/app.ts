import express, { Router, type Express } from 'express';
import { answerProblems } from './http/answer-problems';
import { requireToken } from './http/authenticate';
import { countRequests } from './http/count-requests';
import { jsonBody } from './http/json-body';
import type { ConsolePorts } from './ports';
import { appRoutes } from './routes/apps';
import { channelRoutes } from './routes/channels';
import { clientRoutes } from './routes/clients';
import { doctorRoutes } from './routes/doctor';
import { INSTALLATION_IMPORT, installationRoutes, MAX_IMPORT_BYTES } from './routes/installations';
import { profileRoutes } from './routes/profiles';
import { pushRoutes } from './routes/pushes';
import { userImportRoutes } from './routes/user-imports';
import { secretRoutes } from './routes/secrets';
import { tokenRoutes, userRoutes } from './routes/users';

/** The admin API; never listens. */
export function buildApp(ports: ConsolePorts): Express {
  const api = Router();
  api.use(requireToken(ports));
  api.post(INSTALLATION_IMPORT, ...jsonBody(MAX_IMPORT_BYTES, 'batchJsonLevels'));
  api.use(...jsonBody());
  api.use(appRoutes(ports), profileRoutes(ports), pushRoutes(ports), channelRoutes(ports));
  api.use(userRoutes(ports), tokenRoutes(ports), clientRoutes(ports), userImportRoutes(ports));
  api.use(installationRoutes(ports), doctorRoutes(ports), secretRoutes(ports));

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(countRequests(ports.metrics), (_req, res, next) => {
    // Answers carry keys: no cache may keep them.
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.use(answerProblems(ports, Router().use('/api/v1', api)));
  return app;
}
