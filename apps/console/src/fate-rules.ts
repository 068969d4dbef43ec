import { traitsOf, type App, type FateRules } from '@pushfleet/domain';
import type { ConsolePorts } from './ports';

/** By what the fate of an app's devices is decided now. */
export const fateRules = async (
  { store, channels }: Pick<ConsolePorts, 'store' | 'channels'>,
  { id, hybrid }: Pick<App, 'id' | 'hybrid'>,
): Promise<FateRules> => ({
  hybrid,
  profiles: await store.profiles.names(id),
  channels: traitsOf(channels.values()),
});
