import type { AppWithKeys, ReplacedKey } from '@pushfleet/domain';

/** An app for those who may see its keys; of a key that was replaced they need to know its end only. */
export function appView(app: AppWithKeys, now: number): object {
  const { replacedKeys = [], ...shown } = app;
  return { ...shown, ...replacedView({ replacedKeys: replacedKeys.filter(({ until }) => until > now) }) };
}

/** The keys that are taken beside those that took their place, without the keys. */
export const replacedView = ({ replacedKeys = [] }: Pick<AppWithKeys, 'replacedKeys'>): object =>
  replacedKeys.length === 0 ? {} : { replacedKeys: replacedKeys.map(endOf) };

const endOf = ({ which, until }: ReplacedKey): object => ({ which, until: new Date(until).toISOString() });

export const withoutKeys = ({ key, masterKey, replacedKeys, ...app }: AppWithKeys): object => app;
