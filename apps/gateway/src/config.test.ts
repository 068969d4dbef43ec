import { configSchema } from './config';

const required = { REDIS_URL: 'redis://127.0.0.1:6379' };

test('without any setting a gateway has the limits that clients were written for', () => {
  expect(configSchema.parse(required)).toMatchObject({
    LOGIN_TIMEOUT_MS: 15_000,
    // Some clients ping every 180 s only, and do not return after a close.
    IDLE_TIMEOUT_MS: 400_000,
    MAX_FRAME_BYTES: 65_536,
    MAX_BUFFERED_BYTES: 1_048_576,
    CONNECTIONS_PER_ADDRESS: 1000,
    LOGINS_PER_ADDRESS: 20,
    FRAMES_PER_SECOND: 100,
    DRAIN_MS: 600_000,
  });
});
