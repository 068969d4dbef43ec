import { DAY_MS } from '@pushfleet/domain';
import type { FleetProcess } from '@pushfleet/store';
import { certificateChecks } from './certificate-checks';

const NOW = Date.parse('2026-06-01T00:00:00Z');

const aProcess = (role: string, days?: number): FleetProcess => ({
  ...{ id: `host-${role}`, role, labels: {}, version: '1.0.0', since: 0 },
  ...(days === undefined ? {} : { certificateEndsAt: NOW + days * DAY_MS }),
});

test('a fleet without TLS has nothing to tell', () => {
  expect(certificateChecks([aProcess('ingress'), aProcess('dispatcher')], NOW)).toEqual([]);
});

test.each([
  [60, 'ok', 'holds until 2026-07-31T00:00:00.000Z'],
  [13, 'warning', 'runs out at 2026-06-14T00:00:00.000Z'],
  [0, 'problem', 'ran out at 2026-06-01T00:00:00.000Z: nobody can connect who checks it'],
])('the first that runs out counts: in %i days it is %s', (days, status, finding) => {
  const checks = certificateChecks([aProcess('dispatcher'), aProcess('ingress', 90), aProcess('gateway', days)], NOW);
  expect(checks).toMatchObject([{ check: 'certificates', subject: 'gateway', status, finding }]);
  expect('advice' in (checks[0] ?? {})).toBe(status !== 'ok');
});
