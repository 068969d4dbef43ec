import type { RedisFacts } from '@pushfleet/store';
import type { Check } from './check';
import { redisChecks } from './redis-checks';

const FINE: RedisFacts = {
  node: 'redis:6379',
  version: '7.2.4',
  memory: { usedBytes: 10, maxBytes: 100, evictionPolicy: 'noeviction' },
  appendOnly: true,
  fsync: 'everysec',
  isLogWritten: true,
  isOpen: false,
  clockAheadMs: 3,
  rights: { refused: [], lacks: [] },
  refusal: undefined,
};

const statusesOf = (facts: Partial<RedisFacts>): readonly string[] =>
  redisChecks([{ ...FINE, ...facts }])
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status }: Check) => `${check} ${status}`);

test('a Redis that is set up well passes every check', () => {
  expect(statusesOf({})).toEqual([]);
  expect(redisChecks([FINE])).toHaveLength(8);
});

const memory = (used: Partial<RedisFacts['memory']>) => ({ memory: { ...FINE.memory, ...used } });

test.each<[string, Partial<RedisFacts>, string]>([
  ['an old version', { version: '6.2.1' }, 'redis-version problem'],
  ['no version', { version: '' }, 'redis-version problem'],
  ['eviction', memory({ evictionPolicy: 'volatile-lru' }), 'redis-eviction problem'],
  ['no limit', memory({ maxBytes: 0 }), 'redis-memory problem'],
  ['80 %', memory({ usedBytes: 80 }), 'redis-memory warning'],
  ['85 %', memory({ usedBytes: 85 }), 'redis-memory problem'],
  ['no persistence', { appendOnly: false }, 'redis-persistence problem'],
  ['unknown persistence', { appendOnly: undefined }, 'redis-persistence warning'],
  ['a log that is not written', { isLogWritten: false }, 'redis-persistence problem'],
  ['appendfsync no', { fsync: 'no' }, 'redis-persistence warning'],
  ['no password on a network', { isOpen: true }, 'redis-password warning'],
  ['a clock seconds behind', { clockAheadMs: -2000 }, 'redis-clock warning'],
  ['a user that lacks a command', { rights: { refused: ['xadd'], lacks: [] } }, 'redis-user problem'],
  ['a disk that is full', { refusal: 'MISCONF Redis is configured to save' }, 'redis-writes problem'],
  ['a clock minutes ahead', { clockAheadMs: 60_000 }, 'redis-clock problem'],
])('%s is found', (_, facts, expected) => expect(statusesOf(facts)).toEqual([expected]));

test.each([
  [-900_000, '900000 ms behind the console: times that senders name are reached too late'],
  [900_000, '900000 ms ahead of the console: times that senders name are reached too early'],
])('what a clock of Redis that is %i ms ahead does is told', (clockAheadMs, finding) => {
  const check = redisChecks([{ ...FINE, clockAheadMs }]).find((line) => line.check === 'redis-clock');
  expect(check).toMatchObject({ status: 'problem', finding: expect.stringContaining(finding) });
});

test('every master is looked at', () => {
  const nodes = redisChecks([FINE, { ...FINE, node: 'other:6379' }]).map(({ subject }) => subject);
  expect(new Set(nodes)).toEqual(new Set(['redis:6379', 'other:6379']));
});

test('what a user lacks without need is told, and is no fault', () => {
  const checks = redisChecks([{ ...FINE, rights: { refused: [], lacks: ['config|get: no appendfsync'] } }]);
  expect(checks.find(({ check }) => check === 'redis-user')).toMatchObject({
    status: 'ok',
    finding: 'may run what a fleet runs, without config|get: no appendfsync',
  });
});
