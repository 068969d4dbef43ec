import { LIMITS } from '@pushfleet/domain';
import { DearReads } from './dear-reads';

const signal = () => new AbortController().signal;
const callerOf = (by: string) => ({ caller: { by, role: 'viewer', apps: 'all' } as const, signal });

function setUp() {
  const reads = new DearReads();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (by: string): Promise<void> =>
    reads.run(callerOf(by), () => {
      begun.push(by);
      return new Promise((resolve) => ends.push(resolve));
    });
  return { begun, ends, ask };
}

it('one person has one read under way, and others begin beside it', () => {
  const { begun, ask } = setUp();
  for (const by of ['ann', 'ann', 'bob', 'bob', 'cid']) void ask(by);
  expect(begun).toEqual(['ann', 'bob', 'cid']);
});

it('whoever has too many waiting is told when to ask again, and nobody else is', async () => {
  const { begun, ends, ask } = setUp();
  const most = LIMITS.dearReadsWaiting.value;
  const asked = Array.from({ length: most + 1 }, () => ask('ann'));
  await expect(ask('ann')).rejects.toMatchObject({ problem: 'too-many-calls', retryAfterSeconds: 2 });
  void ask('bob');
  expect(begun).toEqual(['ann', 'bob']);
  ends[0]?.();
  await asked[0];
  void ask('ann');
  await expect(ask('ann')).rejects.toMatchObject({ problem: 'too-many-calls' });
});
