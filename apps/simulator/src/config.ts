import { z } from 'zod';
import { adminConfig, envInteger, envPort, loadConfig, logConfig, type Environment } from '@pushfleet/service-kit';

export const configSchema = z.object({
  ...logConfig,
  ...adminConfig,
  SIMULATOR_PORT: envPort().default(8090).describe('Port on which every vendor is simulated.'),
  SIMULATOR_MESSAGES: envInteger({ min: 1, max: 1_000_000 })
    .default(1_000)
    .describe('Messages that the simulator keeps per channel.'),
  SIMULATOR_DEVICES_PER_MESSAGE: envInteger({ min: 1, max: 1_000 })
    .default(100)
    .describe('Registration ids that the simulator keeps of each message.'),
});

export const loadSimulatorConfig = (env: Environment = process.env) => loadConfig(configSchema, env);
