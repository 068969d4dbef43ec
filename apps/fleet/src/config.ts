import { channelNames } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { configLoader, envList, processConfig, type Environment } from '@pushfleet/service-kit';
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

export const configSchema = z.object({ ...choice, ...processConfig });

/** What this process runs. */
export type Choice = z.output<z.ZodObject<typeof choice>>;

export const loadConfig = configLoader(configSchema, process.env);

export const loadChoice = configLoader(z.object(choice), process.env);

/** What every role reads its own settings from. */
export const processEnv = (): Environment => process.env;
