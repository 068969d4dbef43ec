import { LIMITS } from '@pushfleet/domain';
import { openMetrics } from '@pushfleet/service-kit';
import { DearReads } from './dear-reads';
import { consoleMetrics } from './metrics';

const idle = () => new AbortController().signal;

function setUp() {
  const registry = openMetrics('console');
  const reads = new DearReads(consoleMetrics(registry).dearReads);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (by: string, signal = idle): Promise<void> =>
    reads.run({ caller: { by }, signal }, () => {
      begun.push(by);
      return new Promise((resolve) => ends.push(resolve));
    });
  const told = async (): Promise<readonly string[]> =>
    [...(await registry.text()).matchAll(/^pushfleet_console_dear_reads_(\w+)\{.*\} (\d+)$/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );
  return { begun, ends, ask, told };
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

it('how many wait, and how many were refused, is told', async () => {
  const { ends, ask, told } = setUp();
  expect(await told()).toEqual(['waiting 0', 'refused_total 0']);
  const most = LIMITS.dearReadsWaiting.value;
  const gone = new AbortController();
  const [first] = Array.from({ length: most }, () => ask('ann'));
  const givenUp = ask('ann', () => gone.signal);
  await expect(ask('ann')).rejects.toMatchObject({ problem: 'too-many-calls' });
  expect(await told()).toEqual([`waiting ${most}`, 'refused_total 1']);
  gone.abort(new Error('gone'));
  await expect(givenUp).rejects.toThrow('gone');
  ends[0]?.();
  await first;
  expect(await told()).toEqual([`waiting ${most - 2}`, 'refused_total 1']);
});
