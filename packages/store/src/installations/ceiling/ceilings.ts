import { LIMITS, type App } from '@pushfleet/domain';
import type { MemoryGuard } from '../../kit/memory-guard';
import type { Amount } from './amount';

/** What an app may have; `Infinity` where nothing is bounded. */
export type Ceiling = Amount;

/** What holds for apps that have no number of their own. */
export interface DefaultCeiling {
  /** 0 = no ceiling. */
  readonly installations: number;
  /** The same; absent: a share of the memory that Redis has. */
  readonly bytes?: number | undefined;
}

export interface CeilingPorts {
  /** Undefined for an app that is not known. */
  readonly settings: (app: string) => Promise<Pick<App, 'limits'> | undefined>;
  readonly memory: Pick<MemoryGuard, 'share'>;
  readonly defaults: DefaultCeiling;
}

export async function ceilingOf({ settings, memory, defaults }: CeilingPorts, app: string): Promise<Ceiling> {
  const limits = (await settings(app))?.limits;
  return {
    installations: (limits?.installations ?? defaults.installations) || Infinity,
    bytes:
      (limits?.installationsBytes ?? defaults.bytes ?? (await memory.share(LIMITS.installationsShare.value))) ||
      Infinity,
  };
}
