// First: a signal that comes while the rest is loaded is kept for it.
import { signals } from '@pushfleet/service-kit/signals';
import { runService } from '@pushfleet/service-kit';
import { loadConfig, processEnv } from './config';
import { serveRoles } from './serve';

void runService(
  'fleet',
  async (service) => service.announce({ urls: await serveRoles(service, loadConfig(), processEnv()) }),
  { signals },
);
