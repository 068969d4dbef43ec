import { securityChecks } from './security-checks';

type Ports = Parameters<typeof securityChecks>[0];

/** A console with one app whose keys cannot be had, for this reason. */
const withoutKeys = (reason: Error): Ports =>
  ({
    ...{ adminToken: 'x'.repeat(24), proxyHops: 0, ingressUrl: undefined },
    store: {
      apps: {
        list: async () => [{ id: 'chess', masterOnly: { channelPrefixes: [], columns: [] } }],
        get: () => Promise.reject(reason),
      },
      pushes: { list: async () => [] },
    },
  }) as unknown as Ports;

test('keys that cannot be opened are told of elsewhere', async () => {
  const sealed = Object.assign(new Error('sealed'), { name: 'UnreadableSecret' });
  const checks = await securityChecks(withoutKeys(sealed));
  expect(checks.filter(({ check }) => check.startsWith('app-key'))).toEqual([]);
  expect(checks).toContainEqual(expect.objectContaining({ check: 'app-channels', subject: 'chess', status: 'ok' }));
});

test('what Redis says about the keys of an app is not hidden', async () => {
  const away = new Error('Redis is away');
  await expect(securityChecks(withoutKeys(away))).rejects.toBe(away);
});
