import { setImmediate as turn } from 'node:timers/promises';
import { type Envelope, type NewJob } from '@pushfleet/queues';
import { NO_TRACING } from '@pushfleet/service-kit';
import { type AcceptedPush, type NewPush } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { openAcceptPush, type AcceptPorts } from './accept-pushes';

const NOW = 1_000_000;

const aPush = (name: string, overrides: Partial<NewPush> = {}): NewPush => ({
  app: 'app',
  content: { data: { alert: name }, sections: {} },
  audience: {},
  where: {},
  prod: 'prod',
  pushTime: NOW,
  expiresAt: NOW + 60_000,
  isScheduled: false,
  ...overrides,
});

const toOne = (name: string): NewPush['audience'] => ({ addressed: { field: 'objectId', values: [name] } });

const NO_QUEUE = { add: () => Promise.reject(new Error('nothing was planned')) };

/** A push that names its devices takes less of the share of its app. */
const openAccept = (ports: AcceptPorts): ((push: NewPush) => Promise<AcceptedPush>) => {
  const accept = openAcceptPush(ports);
  return (push) => accept(push, { account: push.app, cost: push.audience.addressed ? 1 : 4 });
};

const nameOf = ({ content }: NewPush): string => String(content.data['alert']);

/** Holds every group until the test lets it go; a push is accepted under the name it carries. */
function openDesk(verdict: (push: NewPush) => Partial<AcceptedPush> = () => ({})) {
  const groups: { readonly names: readonly string[]; finish(): void; fail(error: Error): void }[] = [];
  const jobs: NewJob<Envelope>[] = [];
  const scheduled: NewJob<Envelope>[] = [];
  const commits: number[] = [];
  const accept = openAccept({
    acceptPushes: (pushes) =>
      new Promise((resolve, reject) => {
        const accepted = pushes.map((push) => {
          const { pushTime } = push;
          return { pushId: nameOf(push), createdAt: NOW, pushTime, needsJob: true, ...verdict(push) };
        });
        groups.push({ names: pushes.map(nameOf), finish: () => resolve(accepted), fail: reject });
      }),
    requests: { add: async (added) => void jobs.push(...added) },
    schedule: { add: async (added) => void scheduled.push(...added) },
    direct: () => NO_QUEUE,
    now: () => NOW,
    onCommit: (size) => commits.push(size),
    tracing: NO_TRACING,
  });
  return { accept, groups, jobs, scheduled, commits };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${i}`);

it('a lone push is committed at once', () => {
  const { accept, groups } = openDesk();
  void accept(aPush('a'));
  expect(groups.map((group) => group.names)).toEqual([['a']]);
});

it('pushes that arrive during a commit share the next', async () => {
  const { accept, groups, commits } = openDesk();
  const answers = ['a', 'b', 'c'].map((name) => accept(aPush(name)));
  groups[0]?.finish();
  await answers[0];
  await turn();
  expect(groups.map((group) => group.names)).toEqual([['a'], ['b', 'c']]);
  groups[1]?.finish();
  expect((await Promise.all(answers)).map(({ pushId }) => pushId)).toEqual(['a', 'b', 'c']);
  expect(commits).toEqual([1, 2]);
});

it('no envelope carries more than 64 pushes', async () => {
  const { accept, groups } = openDesk();
  const answers = names(130).map((name) => accept(aPush(name, { audience: toOne(name) })));
  for (let i = 0; i < 4; i += 1) {
    await until(() => groups.length > i, { everyMs: 1 });
    groups[i]?.finish();
  }
  await Promise.all(answers);
  expect(groups.map((group) => group.names.length)).toEqual([1, 64, 64, 1]);
});

/** A desk whose next commit gathers: a large one is behind it, and one push waits. */
async function gatheringDesk() {
  const { accept, groups } = openDesk();
  const answers = names(9).map((name) => accept(aPush(name)));
  groups[0]?.finish();
  await turn();
  answers.push(accept(aPush('x')));
  groups[1]?.finish();
  await turn();
  expect(groups).toHaveLength(2);
  return { accept, groups, answers };
}

it('a commit after a large one gathers what comes within milliseconds', async () => {
  const { accept, groups, answers } = await gatheringDesk();
  answers.push(accept(aPush('y')));
  await until(() => groups.length > 2, { everyMs: 1 });
  expect(groups[2]?.names).toEqual(['x', 'y']);
  groups[2]?.finish();
  await Promise.all(answers);
});

it('a commit that gathers begins as soon as half an envelope waits', async () => {
  const { accept, groups, answers } = await gatheringDesk();
  answers.push(...names(31).map((name) => accept(aPush(name))));
  await turn();
  expect(groups[2]?.names).toHaveLength(32);
  groups[2]?.finish();
  await Promise.all(answers);
});

it('nothing is answered before the job is safe', async () => {
  const steps: string[] = [];
  const accept = openAccept({
    acceptPushes: async () => [{ pushId: 'a', createdAt: NOW, pushTime: NOW, needsJob: true }],
    requests: { add: async () => void steps.push(await turn('job')) },
    schedule: { add: async () => undefined },
    direct: () => NO_QUEUE,
    now: () => NOW,
    onCommit: () => undefined,
    tracing: NO_TRACING,
  });
  await accept(aPush('a'));
  steps.push('answer');
  expect(steps).toEqual(['job', 'answer']);
});

it('pushes that are named beforehand have their job beside their records, and no second one', async () => {
  const steps: (string | readonly string[])[] = [];
  const accept = openAccept({
    async acceptPushes(pushes, onNamed) {
      const free = pushes.filter(({ reqId }) => reqId === undefined);
      await onNamed(free.map((push) => ({ pushId: nameOf(push), push })));
      steps.push('written');
      return pushes.map((push) => ({ pushId: nameOf(push), createdAt: NOW, pushTime: NOW, needsJob: true }));
    },
    requests: { add: async (added) => void steps.push(...added.map(({ data }) => data.pushIds)) },
    schedule: { add: async () => undefined },
    direct: () => NO_QUEUE,
    now: () => NOW,
    onCommit: () => undefined,
    tracing: NO_TRACING,
  });
  await Promise.all([aPush('a'), aPush('b'), aPush('c', { reqId: 'c' })].map(accept));
  expect(steps).toEqual([['a'], 'written', ['b'], 'written', ['c']]);
});

it('pushes with a plan go to the queues of their channels, together and without a dispatcher', async () => {
  const page = (channel: string) =>
    ({ channel, profile: 'p', devices: [['a']], dueAt: 0, tries: 0, direct: true }) as const;
  const planned = (name: string, ...channels: string[]) =>
    aPush(name, { plan: { pages: channels.map(page), books: [] } });
  const jobs: (readonly [queue: string, data: unknown])[] = [];
  const envelopes = new Set<string | undefined>();
  const accept = openAccept({
    async acceptPushes(pushes, onNamed) {
      for (const { plan } of pushes) for (const { envelope } of plan?.pages ?? []) envelopes.add(envelope);
      await onNamed(pushes.map((push) => ({ pushId: nameOf(push), push })));
      return pushes.map((push) => ({ pushId: nameOf(push), createdAt: NOW, pushTime: NOW, needsJob: true }));
    },
    requests: { add: async (added) => void jobs.push(...added.map(({ data }) => ['requests', data.pushIds] as const)) },
    direct: (channel) => ({
      add: async (added) => void jobs.push(...added.map(({ data }) => [channel, data] as const)),
    }),
    schedule: { add: async () => undefined },
    now: () => NOW,
    onCommit: () => undefined,
    tracing: NO_TRACING,
  });
  const first = accept(aPush('first'));
  await Promise.all([first, ...[planned('a', 'hms'), aPush('b'), planned('c', 'mi', 'hms')].map(accept)]);
  const [envelope] = envelopes;
  expect(envelopes.size).toBe(1);
  expect(jobs).toEqual([
    ['requests', ['first']],
    ['requests', ['b']],
    [
      'hms',
      {
        envelope,
        pages: [
          { pushId: 'a', page: 1 },
          { pushId: 'c', page: 2 },
        ],
      },
    ],
    ['mi', { envelope, pages: [{ pushId: 'c', page: 1 }] }],
  ]);
});

async function secondGroup(verdict?: (push: NewPush) => Partial<AcceptedPush>, pushes = [aPush('a'), aPush('b')]) {
  const desk = openDesk(verdict);
  const answers = [aPush('first'), ...pushes].map((push) => desk.accept(push));
  desk.groups[0]?.finish();
  await answers[0];
  await turn();
  desk.groups[1]?.finish();
  await Promise.all(answers);
  return { ...desk, jobs: desk.jobs.slice(1) };
}

it('a group makes one job that names all of its pushes', async () => {
  const { jobs } = await secondGroup();
  expect(jobs.map(({ data }) => data)).toEqual([{ pushIds: ['a', 'b'] }]);
});

it('a job that holds a push again does not pass for the job that held it before', async () => {
  const one = await secondGroup(undefined, [aPush('a'), aPush('b')]);
  const other = await secondGroup(undefined, [aPush('a'), aPush('c')]);
  expect(one.jobs[0]?.id).not.toBe(other.jobs[0]?.id);
});

it('a push that is dispatched already gets no job', async () => {
  const { jobs } = await secondGroup((push) => ({ needsJob: nameOf(push) !== 'b' }));
  expect(jobs).toEqual([{ id: 'a', data: { pushIds: ['a'] } }]);
});

it('a req_id repeated within a group stands in its job once', async () => {
  const { jobs } = await secondGroup(() => ({ pushId: 'a' }));
  expect(jobs).toEqual([{ id: 'a', data: { pushIds: ['a'] } }]);
});

it('a scheduled push gets a delayed job of its own', async () => {
  const later = { pushTime: NOW + 90_000, isScheduled: true };
  const { jobs, scheduled } = await secondGroup(undefined, [aPush('a', later), aPush('b'), aPush('c', later)]);
  expect(jobs).toEqual([{ id: 'b', data: { pushIds: ['b'] } }]);
  expect(scheduled).toEqual([
    { id: 'a', data: { pushIds: ['a'] }, delayMs: 90_000 },
    { id: 'c', data: { pushIds: ['c'] }, delayMs: 90_000 },
  ]);
});

it('a repeat without push_time does not send a scheduled push early', async () => {
  const { jobs, scheduled } = await secondGroup(() => ({ pushId: 'a', pushTime: NOW + 90_000 }), [aPush('b')]);
  expect(jobs).toEqual([]);
  expect(scheduled.at(-1)).toEqual({ id: 'a', data: { pushIds: ['a'] }, delayMs: 90_000 });
});

it('a failed commit fails its whole group and nobody else', async () => {
  const { accept, groups } = openDesk();
  const [first, second] = [accept(aPush('a')), accept(aPush('b'))];
  groups[0]?.fail(new Error('a defect'));
  await expect(first).rejects.toThrow('a defect');
  await turn();
  groups[1]?.finish();
  await expect(second).resolves.toMatchObject({ pushId: 'b' });
});

it('when Redis is away nobody waits for a second time-out', async () => {
  const { accept, groups } = openDesk();
  const answers = names(200).map((name) => accept(aPush(name)));
  groups[0]?.fail(new Error('Command timed out'));
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status)).toEqual(names(200).map(() => 'rejected'));
  expect(groups).toHaveLength(1);
  const next = accept(aPush('next'));
  groups[1]?.finish();
  await expect(next).resolves.toMatchObject({ pushId: 'next' });
});

it('a push beside a storm of another app has an envelope without it, which is taken before', async () => {
  const { accept, groups, jobs } = openDesk();
  const storm = names(1000).map((name) => accept(aPush(name, { app: 'storm', audience: toOne(name) })));
  const other = accept(aPush('other', { app: 'other', audience: toOne('other') }));
  let isAccepted = false;
  void other.then(() => (isAccepted = true));
  for (let i = 0; !isAccepted; i += 1) {
    await until(() => groups[i] !== undefined);
    groups[i]?.finish();
    await turn();
  }
  // The pushes of the storm that were within its share, and no more.
  expect(groups.length).toBeLessThan(12);
  expect(jobs.at(-1)).toEqual({ id: expect.any(String) as string, data: { pushIds: expect.any(Array) as string[] } });
  for (let i = 0; i < 40 && jobs.flatMap(({ data }) => data.pushIds).length < 1001; i += 1) {
    groups.forEach((group) => group.finish());
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(storm);
  const late = jobs.filter(({ priority = 0 }) => priority > 0);
  expect(late.flatMap(({ data }) => data.pushIds)).toHaveLength(1000 - 256);
  expect(late.some(({ data }) => data.pushIds.includes('other'))).toBe(false);
});
