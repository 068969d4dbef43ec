import type { FleetProcess } from '@pushfleet/store';
import { processChecks } from './process-checks';

const aProcess = (role: string, changes: Partial<FleetProcess> = {}): FleetProcess => ({
  ...{ id: `host-${role}`, role, labels: {}, version: '1.0.0', keyId: 'abc123', since: 0 },
  ...changes,
});
const WHOLE = ['ingress', 'dispatcher', 'gateway', 'user-info', 'console'].map((role) => aProcess(role));
const faultsOf = (processes: readonly FleetProcess[]): readonly string[] =>
  processChecks(processes).flatMap(({ check, subject, status }) =>
    status === 'ok' ? [] : [`${status} ${check} ${subject}`.trim()],
  );

test('a whole fleet of one kind is fine', () => {
  expect(faultsOf(WHOLE)).toEqual([]);
});

test.each([
  ['ingress', 'problem'],
  ['dispatcher', 'problem'],
  ['gateway', 'warning'],
  ['user-info', 'warning'],
])('a fleet without %s has a %s', (role, status) => {
  const without = WHOLE.filter((process) => process.role !== role);
  expect(faultsOf(without)).toEqual([`${status} processes ${role}`]);
  const line = processChecks(without).find(({ subject }) => subject === role);
  expect(line).toMatchObject({ advice: expect.stringContaining(`start a${role === 'ingress' ? 'n' : ''} ${role}`) });
});

test('while Redis refuses writes nobody is called missing: no process can write that it lives', () => {
  const unseen = processChecks([], { isRefusing: true }).filter(({ check }) => check === 'processes');
  expect(unseen.map(({ subject, status }) => [subject, status])).toEqual(
    ['ingress', 'dispatcher', 'gateway', 'user-info'].map((role) => [role, 'warning']),
  );
  for (const { finding, advice } of unseen) {
    expect(finding).toBe('none is seen: no process can write that it lives');
    expect(advice).toBe('see redis-writes, and look again afterwards');
  }
});

test('two versions, or two keys, are told by name', () => {
  const other = aProcess('ingress', { version: '0.9.0', keyId: 'other1' });
  expect(faultsOf([...WHOLE, other])).toEqual(['warning process-versions', 'warning process-keys']);
  const findings = processChecks([...WHOLE, other]).map(({ finding }) => finding);
  expect(findings).toEqual(expect.arrayContaining([expect.stringContaining('0.9.0, 1.0.0')]));
});

test.each([
  [4000, undefined, 'ok'],
  [-6000, 'channel-worker hms host-channel-worker is 6 s behind Redis', 'warning'],
  [300_000, 'channel-worker hms host-channel-worker is 300 s ahead of Redis', 'problem'],
])('a clock that is %i ms ahead: %s', (clockAheadMs, finding, status) => {
  const worker = aProcess('channel-worker', { labels: { channel: 'hms' }, clockAheadMs });
  const near = WHOLE.map((process) => ({ ...process, clockAheadMs: -3 }));
  const check = processChecks([...near, worker]).find((line) => line.check === 'process-clocks');
  expect(check).toMatchObject({ status, ...(finding && { finding: expect.stringContaining(finding) }) });
});

test.each([
  [300_000, 'Redis is 300 s behind most processes', 'problem'],
  [-7000, 'Redis is 7 s ahead of most processes', 'warning'],
])('where most clocks are %i ms ahead, that of Redis is meant', (clockAheadMs, finding, status) => {
  const most = WHOLE.map((process) => ({ ...process, clockAheadMs }));
  const check = processChecks([...most, aProcess('channel-worker', { clockAheadMs: 3 })]);
  expect(check.find((line) => line.check === 'process-clocks')).toMatchObject({
    ...{ status, finding: expect.stringContaining(finding) },
    advice: expect.stringContaining('machine of Redis'),
  });
});

test('no clock is judged where no process tells its own', () => {
  expect(processChecks(WHOLE).filter(({ check }) => check === 'process-clocks')).toEqual([]);
});

test('a process without a key disagrees with nobody', () => {
  const { keyId: _, ...keyless } = aProcess('gateway');
  expect(faultsOf([...WHOLE, keyless])).toEqual([]);
});
