import { appSettingsSchema, DEFAULT_APP_SETTINGS } from './app';

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
