import { FleetProcesses, startRedisCluster, until, type RedisCluster } from '@pushfleet/testing';

/** Their own deadlines are four seconds and less; the rest is the machine's. */
const PATIENCE_MS = 15_000;
/** Longer than nodes take to call a cluster down, so that refused connections and CLUSTERDOWN are met. */
const AWAY_MS = 9000;

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: unknown; readonly error?: unknown };
  readonly tookMs: number;
}

let redis: RedisCluster;
let fleet: FleetProcesses;
let app: { readonly id: string; readonly key: string };

beforeAll(async () => {
  redis = await startRedisCluster();
  fleet = new FleetProcesses(redis);
  await fleet.open({ workers: [], endpoints: [] });
  await fleet.run('user-info', { USER_INFO_PORT: '0' });
  const made = await fetch(`${fleet.url('console')}/api/v1/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fleet.env['ADMIN_TOKEN'] ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'demo', edition: 'commercial' }),
  });
  app = (await made.json()) as typeof app;
});
afterAll(() => fleet.stop(), 60_000);

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  const body = (await answer.json()) as Answer['body'];
  return { status: answer.status, body, tookMs: performance.now() - startedAt };
}

const asApp = (path: string, body: object): Promise<Answer> =>
  ask(`${fleet.url('ingress')}/1.1${path}`, {
    method: 'POST',
    headers: { 'x-lc-id': app.id, 'x-lc-key': app.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const asAdmin = (method: string, path: string, body?: object): Promise<Answer> =>
  ask(`${fleet.url('console')}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${fleet.env['ADMIN_TOKEN'] ?? ''}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Each under another name, so that all slots are met. */
const CALLS = {
  ingress: (n: number) => asApp('/installations', { deviceType: 'android', installationId: `device-${n}` }),
  'ingress, pushing': (n: number) =>
    asApp('/push', { where: { installationId: `device-${n}` }, data: { alert: 'x' }, req_id: `r${n}` }),
  console: (n: number) => asAdmin('GET', `/users/user-${n}`),
  'console, writing': (n: number) => asAdmin('PUT', `/users/user-${n}`, { name: 'somebody' }),
  'user-info': (n: number) => {
    const mac = Buffer.alloc(20).toString('base64');
    const ts = Math.floor(Date.now() / 1000);
    const authorization = `MAC id="nobody-${n}",ts="${ts}",nonce="${n}",mac="${mac}"`;
    return ask(`${fleet.url('user-info', 'userInfo')}/api/v1/user/info?client_id=none`, { headers: { authorization } });
  },
} as const;

/** What each is answered while all is well. */
const WELL: Readonly<Record<keyof typeof CALLS, number>> = {
  ...{ ingress: 201, 'ingress, pushing': 200, console: 404, 'console, writing': 200, 'user-info': 401 },
};

const NAMES = Object.keys(CALLS) as readonly (keyof typeof CALLS)[];
const PER_ROUND = 16;
let asked = 0;
const askAll = (name: keyof typeof CALLS): Promise<readonly Answer[]> =>
  Promise.all(Array.from({ length: PER_ROUND }, () => CALLS[name]((asked += 1))));

/** The 1.1 API and the admin API say 503; the user information API has one error for everything that is not the caller's. */
const isRefusal = (name: string, { status, body }: Answer): boolean =>
  name === 'user-info' ? status === 500 && body.error === 'server_error' : status === 503 && body.code === 503;
const isServed = ({ status }: Answer): boolean => status < 500;

test('a cluster without one of its masters is told by every service in its own words, and forgotten when it is back', async () => {
  for (const name of NAMES) {
    const statuses = new Set((await askAll(name)).map(({ status }) => status));
    expect([name, [...statuses]]).toEqual([name, [WELL[name]]]);
  }
  const [, node] = redis.nodes;
  await node?.kill();
  const endsAt = performance.now() + AWAY_MS;
  const refused = new Set<string>();
  while (performance.now() < endsAt) {
    for (const name of NAMES) {
      const answers = await askAll(name);
      const odd = answers.filter((answer) => !isServed(answer) && !isRefusal(name, answer));
      expect([name, odd]).toEqual([name, []]);
      if (answers.some((answer) => isRefusal(name, answer))) refused.add(name);
    }
  }
  expect([...refused].sort()).toEqual([...NAMES].sort());
  await node?.start();
  for (const name of NAMES) await until(async () => (await askAll(name)).every(isServed), { everyMs: 200 });
}, 240_000);
