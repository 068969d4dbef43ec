// Imported first: it keeps a signal that comes while the rest is loaded.
import { signals } from '@pushfleet/service-kit/signals';
import { simulators } from '@pushfleet/channels/simulators';
import {
  closeServer,
  createLogger,
  listen,
  openMetrics,
  runService,
  serveAdmin,
  type ServiceContext,
} from '@pushfleet/service-kit';
import { loadSimulatorConfig } from './config';
import { registerSimulatorMetrics } from './metrics';
import { createSimulatorServer } from './serve';
import { Vendors } from './vendors';

async function serveSimulator({ onClose, stopping, cutoff, logWith, announce }: ServiceContext): Promise<void> {
  const config = loadSimulatorConfig();
  const log = createLogger(config, 'simulator');
  logWith(log);

  const metrics = openMetrics('simulator');
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const vendors = new Vendors(simulators, {
    now: Date.now,
    limits: { messages: config.SIMULATOR_MESSAGES, devicesPerMessage: config.SIMULATOR_DEVICES_PER_MESSAGE },
  });
  registerSimulatorMetrics(metrics, vendors);

  const server = createSimulatorServer(vendors, log);
  const { url } = await listen(server, {
    port: config.SIMULATOR_PORT,
    host: config.BIND_ADDRESS,
    variable: 'SIMULATOR_PORT',
  });
  onClose('http', () => closeServer(server, cutoff));

  admin.ready();
  log.info({ url, metrics: admin.url, channels: vendors.channels }, 'simulating');
  announce({ urls: { simulator: url, metrics: admin.url } });
}

void runService('simulator', serveSimulator, { signals });
