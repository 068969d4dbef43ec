import { appSettingsSchema, DEFAULT_APP_SETTINGS, keysOf, withNewKey, withoutReplaced, type AppWithKeys } from './app';

const settings = { ...DEFAULT_APP_SETTINGS, name: 'Chess', edition: 'developer' };

it('the defaults are settings', () => {
  expect(appSettingsSchema.parse(settings)).toEqual(settings);
});

it('unknown settings are refused', () => {
  expect(appSettingsSchema.safeParse({ ...settings, webhook: 'http://x' }).success).toBe(false);
});

it.each(['http://x', 'a b', '', 'x/y'])('%j is no intent host', (intentHost) => {
  expect(appSettingsSchema.safeParse({ ...settings, intentHost }).success).toBe(false);
});

describe('a key that was replaced', () => {
  const NOW = 1_900_000_000_000;
  const app: AppWithKeys = {
    ...DEFAULT_APP_SETTINGS,
    ...{ name: 'Chess', edition: 'developer', id: 'a', key: 'k1', masterKey: 'm1' },
  };
  const rotated = withNewKey(app, { which: 'masterKey', value: 'm2', keepOldUntil: NOW });

  it('is taken until its time, beside the new one', () => {
    expect(keysOf(rotated, 'masterKey', NOW - 1)).toEqual(['m2', 'm1']);
    expect(keysOf(rotated, 'masterKey', NOW)).toEqual(['m2']);
  });

  it('is none for the other key', () => {
    expect(keysOf(rotated, 'key', NOW - 1)).toEqual(['k1']);
    const both = withNewKey(rotated, { which: 'key', value: 'k2', keepOldUntil: NOW });
    expect([keysOf(both, 'key', 0), keysOf(both, 'masterKey', 0)]).toEqual([
      ['k2', 'k1'],
      ['m2', 'm1'],
    ]);
  });

  it('ends when its successor is replaced, or at once where that is wanted', () => {
    expect(keysOf(withNewKey(rotated, { which: 'masterKey', value: 'm3', keepOldUntil: NOW }), 'masterKey', 0)).toEqual(
      ['m3', 'm2'],
    );
    expect(withNewKey(rotated, { which: 'masterKey', value: 'm3' })).toEqual({ ...app, masterKey: 'm3' });
  });

  it('can be ended before its time, once', () => {
    expect(withoutReplaced(rotated, 'masterKey', NOW - 1)).toEqual({ ...app, masterKey: 'm2' });
    expect(withoutReplaced(rotated, 'masterKey', NOW)).toBeUndefined();
    expect(withoutReplaced(rotated, 'key', 0)).toBeUndefined();
  });
});
