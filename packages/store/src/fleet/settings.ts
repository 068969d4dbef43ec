import type { ProcessKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** How processes learn that an app, a profile or a decision about a channel changed. */
export interface SettingsVersions {
  /** Tells the fleet of a change that is written. Whoever knows the version that this resolves with works with the change. */
  changed(): Promise<number>;
  /** Called when something changed; what was remembered of settings is not used again once it has resolved. */
  onChange(forget: Forget): void;
  /** Called when Redis knows of fewer changes than this process: it lost what was written after the version that it has now. */
  onLost(tell: Tell): void;
  /** Takes over what changed; false when nothing did. */
  take(): Promise<boolean>;
  /** The version that this process works with; undefined before it looked for the first time. */
  known(): number | undefined;
}

/** The versions that are known, and that Redis has: milliseconds since the epoch, or somewhat later; 0 is none. */
type Tell = (known: number, left: number) => void;

type Forget = () => void | Promise<void>;

const changeSettings = luaScript('fleet/change-settings', { params: { settings: 'key' }, answer: Number });

export function openSettings({ redis, keys }: { redis: RedisClient; keys: ProcessKeys }): SettingsVersions {
  const settings = keys.settings();
  const forgets: Forget[] = [];
  const tells: Tell[] = [];
  let known: number | undefined;
  return {
    changed: () => changeSettings(redis, { settings }),
    onChange: (forget) => void forgets.push(forget),
    onLost: (tell) => void tells.push(tell),
    async take() {
      const version = Number((await redis.get(settings)) ?? 0);
      if (version === known) return false;
      await Promise.all(forgets.map((forget) => forget()));
      const before = known;
      known = version;
      if (before !== undefined && version < before) for (const tell of tells) tell(before, version);
      return true;
    },
    known: () => known,
  };
}
