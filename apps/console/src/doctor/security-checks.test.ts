import type { FleetProcess } from '@pushfleet/store';
import { proxyChecks, securityChecks } from './security-checks';

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

test('a thousand apps are looked at some at a time, so that no command waits for its answer too long', async () => {
  let [now, most] = [0, 0];
  const list = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return [];
  };
  const apps = Array.from({ length: 1000 }, (_, i) => ({
    ...{ id: `app-${i}`, masterOnly: { channelPrefixes: [], columns: [] } },
  }));
  const ports = withoutKeys(Object.assign(new Error('sealed'), { name: 'UnreadableSecret' }));
  const store = { apps: { ...ports.store.apps, list: async () => apps }, pushes: { list } };
  const checks = await securityChecks({ ...ports, store } as unknown as Ports);
  expect(new Set(checks.map(({ subject }) => subject)).size).toBe(1001);
  expect(most).toBeLessThanOrEqual(50);
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
  const doors = { proxyHops: 0, ingressUrl: 'https://push.example.com', processes, gateways: [] };
  expect(proxyChecks(doors)).toMatchObject([{ check: 'trusted-proxies', subject: '', status }]);
  expect(proxyChecks({ ...doors, proxyHops: 1 })).toMatchObject([{ status: 'ok' }]);
});

test('one ingress that trusts no proxy is enough for a warning, whatever the console trusts', () => {
  const processes = [aProcess('ingress', { proxyHops: 1 }), aProcess('ingress', { proxyHops: 0 })];
  const doors = { proxyHops: 1, ingressUrl: 'https://push.example.com', gateways: [] };
  expect(proxyChecks({ ...doors, processes })).toMatchObject([{ status: 'warning' }]);
  expect(proxyChecks({ ...doors, processes: processes.slice(0, 1) })).toMatchObject([{ status: 'ok' }]);
});

test.each([
  ['trusts none, where devices are told wss:', { proxyHops: 0 }, ['warning']],
  ['trusts one', { proxyHops: 1 }, ['ok']],
  ['shows a certificate', { proxyHops: 0, ...WITH_TLS }, ['ok']],
  ['does not say what it trusts', {}, []],
])('a gateway that %s', (_, facts, statuses) => {
  const url = 'wss://push.example.com';
  const processes = [aProcess('gateway', facts)];
  const checks = proxyChecks({ proxyHops: 1, ingressUrl: undefined, processes, gateways: [{ urls: [url] }] });
  const found = checks.filter(({ subject }) => subject === 'gateway');
  expect(found.map(({ status }) => status)).toEqual(statuses);
  for (const { status, finding, advice } of found.filter((one) => one.status !== 'ok'))
    expect([status, finding, advice]).toEqual([
      'warning',
      expect.stringContaining('host-gateway'),
      expect.stringContaining('PROXY_HOPS'),
    ]);
});

test('a gateway that devices reach without TLS needs no proxy', () => {
  const [processes, gateways] = [[aProcess('gateway', { proxyHops: 0 })], [{ urls: ['ws://10.0.0.7:8082'] }]];
  const checks = proxyChecks({ proxyHops: 0, ingressUrl: undefined, processes, gateways });
  expect(checks.map(({ subject, status }) => [subject, status])).toEqual([
    ['', 'ok'],
    ['gateway', 'ok'],
  ]);
});
