import type { LoadRound, PlannedCall } from '@pushfleet/testing';

/** What a tenant does to the fleet. */
export interface Attack {
  readonly name: string;
  readonly rounds: readonly LoadRound[];
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const batchOf = (requests: readonly object[]): string => JSON.stringify({ requests });
const save = (fields: object, installationId = 'attacker'): PlannedCall => {
  const body = JSON.stringify({ deviceType: 'android', installationId, ...fields });
  return { method: 'POST', path: '/installations', body };
};
const get = (path: string, count = 1): PlannedCall => ({ method: 'GET', path, times: count });
const batch = (body: string, count = 1): PlannedCall => ({ method: 'POST', path: '/batch', body, times: count });

const FIELD_NAMES = times(100_000, (n) => `f${n}`).join(',');
const BY_NAMES = ['keys', 'order'].map((parameter) => `/installations?${parameter}=`);

const LONG_LIST = times(7500, (n) => n);
const LIST_OF_OBJECTS = times(6000, (n) => ({ a: n % 10 }));
const A_THOUSAND_OBJECTS = encodeURIComponent(JSON.stringify({ list: { $in: times(1000, (n) => ({ a: -n })) } }));
const BY_LIST = `/1.1/installations?limit=10&where=${A_THOUSAND_OBJECTS}`;

const PUSH_TO_NOBODY = {
  method: 'POST',
  path: '/1.1/push',
  body: { where: { installationId: 'nobody' }, data: { alert: 'x' } },
};
const PUSH_TO_ALL: PlannedCall = {
  method: 'POST',
  path: '/push',
  body: JSON.stringify({ data: { alert: 'x' } }),
  times: 5,
};

/** As many names as fit into an installation. */
const MANY_CHANNELS = times(10_965, (n) => n.toString(36));

const DEEP = JSON.stringify({ deviceType: 'android', installationId: 'deep' }).replace('}', `,"deep":${nested(4114)}}`);

const NESTED_FRAME = `{"cmd":"data","ids":["a"],"msg":[{"a":${nested(4500)}}]}`;
const WIDE_FRAME = JSON.stringify({ cmd: 'data', ids: times(5000, String), msg: times(5000, () => ({})) });
const loginFrame = (appId: string, installationId: string): string =>
  JSON.stringify({ cmd: 'login', appId, installationId });

const LONG_QUERY = `/1.1/installations?where=${'%41'.repeat(650)}`;
const LONG_PATH = `/1.1/${'/'.repeat(1900)}x`;
const LONG_NAME = { deviceType: 'android', installationId: 'attacker', ['k'.repeat(20_000)]: 1 };

/** Each froze somebody else, filled Redis or ended a process before there was a limit against it. */
export const attacksBy = (appId: string): readonly Attack[] => [
  {
    name: 'queries that name a hundred thousand fields',
    rounds: [
      {
        width: 3,
        calls: [batch(batchOf(BY_NAMES.map((path) => ({ method: 'GET', path: `/1.1${path}${FIELD_NAMES}` }))), 3)],
      },
      { width: 20, calls: BY_NAMES.map((path) => get(path + FIELD_NAMES.slice(0, 15_000), 10)) },
    ],
  },
  {
    name: 'conditions of a thousand objects upon long lists',
    rounds: [
      { width: 15, calls: times(15, (n) => save({ list: LONG_LIST }, `list-${n}`)) },
      { width: 15, calls: times(15, (n) => save({ list: LIST_OF_OBJECTS }, `list-${n + 15}`)) },
      { width: 3, calls: [batch(batchOf([{ method: 'GET', path: BY_LIST }]), 3)] },
    ],
  },
  {
    name: 'batches of twenty thousand elements, and of as many pushes as one may have',
    rounds: [
      { width: 3, calls: [20_000, 20_000, 1000].map((size) => batch(batchOf(times(size, () => PUSH_TO_NOBODY)))) },
    ],
  },
  {
    name: 'batches of megabytes that no element makes good use of',
    rounds: [
      {
        width: 1,
        calls: [
          batch(batchOf(times(9500, () => ({ method: 'GET', path: LONG_QUERY })))),
          batch(batchOf(times(9500, () => ({ method: 'GET', path: LONG_PATH })))),
          batch(batchOf(times(1000, () => ({ method: 'POST', path: '/1.1/installations', body: LONG_NAME })))),
        ],
      },
    ],
  },
  {
    name: 'a thousand invented profiles, and pushes to everybody',
    rounds: [
      {
        width: 50,
        calls: times(1000, (n) =>
          save({ deviceProfile: `p${n}`, vendor: 'HMS', registrationId: `t${n}` }, `profile-${n}`),
        ),
      },
      { width: 5, calls: [PUSH_TO_ALL] },
    ],
  },
  {
    name: 'bodies of brackets, nested without end',
    rounds: [{ width: 4, calls: [batch('['.repeat(20_000_000)), batch(nested(2_000_000), 3)] }],
  },
  {
    name: 'installations with thousands of channels',
    rounds: [
      {
        width: 40,
        calls: times(40, (n) => save({ channels: MANY_CHANNELS }, `many-${n}`)),
      },
    ],
  },
  {
    name: 'installations that are nested thousands of levels deep, and questions about them',
    rounds: [
      { width: 20, calls: [{ method: 'POST', path: '/installations', body: DEEP, times: 20 }] },
      { width: 10, calls: [get('/installations?limit=10', 10)] },
    ],
  },
  {
    name: 'frames before and after a login, nested, large and many',
    rounds: [
      { sockets: times(20, () => [{ text: NESTED_FRAME }]) },
      { sockets: times(20, (n) => [{ text: loginFrame(appId, `attacker-${n}`) }, { text: WIDE_FRAME, times: 20 }]) },
    ],
  },
];
