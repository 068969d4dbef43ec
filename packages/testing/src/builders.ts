import { randomBytes } from 'node:crypto';
import { DEFAULT_APP_SETTINGS, type AppWithKeys, type JsonObject } from '@pushfleet/domain';

/** Short text that no other call returns. */
export const unique = (prefix: string): string => `${prefix}${randomBytes(8).toString('hex')}`;

/** An app with ids and keys of its own. */
export const anApp = (overrides: Partial<AppWithKeys> = {}): AppWithKeys => ({
  id: unique('app'),
  key: unique('key'),
  masterKey: unique('master'),
  name: 'Test app',
  edition: 'commercial',
  ...DEFAULT_APP_SETTINGS,
  hybrid: true,
  ...overrides,
});

/** The body that an Android client of the hms channel saves; `undefined` leaves a field out. */
export const anInstallation = (overrides: Readonly<Record<string, unknown>> = {}): JsonObject =>
  JSON.parse(
    JSON.stringify({
      deviceType: 'android',
      installationId: unique('installation'),
      vendor: 'HMS',
      registrationId: unique('registration'),
      timeZone: 'Asia/Shanghai',
      valid: true,
      ...overrides,
    }),
  ) as JsonObject;

/** The body of `POST /1.1/push` to everybody. */
export const aPushRequest = (overrides: JsonObject = {}): JsonObject => ({
  data: { alert: 'Hello from a test' },
  ...overrides,
});
