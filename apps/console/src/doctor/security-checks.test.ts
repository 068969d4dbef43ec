import type { FleetProcess } from '@pushfleet/store';
import { proxyCheck, securityChecks } from './security-checks';

type Ports = Parameters<typeof securityChecks>[0];

/** A console with one app whose keys cannot be had, for this reason. */
const withoutKeys = (reason: Error): Ports =>
  ({
    adminToken: 'x'.repeat(24),
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

const aProcess = (role: string, more: Partial<FleetProcess> = {}): FleetProcess => ({
  ...{ id: `host-${role}`, role, labels: {}, version: '1.0.0', since: 0, ...more },
});
const WITH_TLS = { certificateEndsAt: 1 };

test.each([
  ['no ingress shows a certificate', [aProcess('gateway', WITH_TLS), aProcess('ingress')], 'warning'],
  ['one of two ingresses does', [aProcess('ingress', WITH_TLS), aProcess('ingress')], 'warning'],
  ['nobody knows the ingress', [aProcess('gateway', WITH_TLS)], 'warning'],
  ['every ingress does', [aProcess('ingress', WITH_TLS), aProcess('gateway')], 'ok'],
] as const)('an https: address without trusted proxies, where %s', (_, processes, status) => {
  const ports = { proxyHops: 0, ingressUrl: 'https://push.example.com' };
  expect(proxyCheck(ports, processes)).toMatchObject({ check: 'trusted-proxies', status });
  expect(proxyCheck({ ...ports, proxyHops: 1 }, processes).status).toBe('ok');
});
