import { channelNames } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { configLoader, envList, envText, processConfig } from '@pushfleet/service-kit';
import { z } from 'zod';

/** `worker` stands for one role of every channel. */
export const ROLE_NAMES = ['ingress', 'dispatcher', 'worker', 'gateway', 'console', 'user-info'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

const CHANNELS = [...channelNames, OWN_CHANNEL] as const;

const MAX_SHOWN = 40;

/** Some of these, separated by commas; without the variable all. */
const someOf = <Name extends string>(names: readonly [Name, ...Name[]], description: string) =>
  envList(
    z.enum(names, {
      error: ({ input }) => `is "${String(input).slice(0, MAX_SHOWN)}", not one of ${names.join(', ')}`,
    }),
  )
    .transform((given): readonly Name[] => [...new Set(given)])
    .default(names)
    .describe(description);

const choice = {
  ROLES: someOf(ROLE_NAMES, 'Roles that one process runs, separated by commas.'),
  CHANNEL: someOf(
    CHANNELS as unknown as readonly [string, ...string[]],
    'Channels that the role `worker` serves, separated by commas.',
  ),
};

const privateRedis = {
  REDIS_MAXMEMORY: envText('must be a size such as 400mb or 1gb', (text) =>
    /^[1-9]\d{0,14}(?:[kmg]b?)?$/i.test(text) ? text : undefined,
  )
    .optional()
    .describe('Most memory of the Redis that `--redis-dir` keeps; 40 % of the memory that there is unless it is set.'),
};

export const configSchema = z.object({ ...choice, ...privateRedis, ...processConfig });

/** What this process runs. */
export type Choice = z.output<z.ZodObject<typeof choice>>;

export const loadConfig = configLoader(configSchema, process.env);

export const loadChoice = configLoader(z.object(choice), process.env);
