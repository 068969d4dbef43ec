import type { ProcessKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** How processes learn that an app, a profile or a decision about a channel changed. */
export interface SettingsVersions {
  /** Tells the fleet of a change that is written. Whoever knows the version that this resolves with works with the change. */
  changed(): Promise<number>;
  /** Called when something changed; what was remembered of settings is not used again once it has resolved. */
  onChange(forget: Forget): void;
  /** Takes over what changed; false when nothing did. */
  take(): Promise<boolean>;
  /** The version that this process works with; undefined before it looked for the first time. */
  known(): number | undefined;
}

type Forget = () => void | Promise<void>;

const changeSettings = luaScript('fleet/change-settings', { params: { settings: 'key' }, answer: Number });

export function openSettings({ redis, keys }: { redis: RedisClient; keys: ProcessKeys }): SettingsVersions {
  const settings = keys.settings();
  const forgets: Forget[] = [];
  let known: number | undefined;
  return {
    changed: () => changeSettings(redis, { settings }),
    onChange: (forget) => void forgets.push(forget),
    async take() {
      const version = Number((await redis.get(settings)) ?? 0);
      if (version === known) return false;
      await Promise.all(forgets.map((forget) => forget()));
      known = version;
      return true;
    },
    known: () => known,
  };
}
