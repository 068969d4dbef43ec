import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairGate } from './fair-gate';

const idle = () => new AbortController().signal;

function setUp(atOnce: number, perAccount: number) {
  const gate = new FairGate({ atOnce, perAccount });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (account: string, name = account, signal = idle) =>
    gate.run(
      account,
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      },
      signal,
    );
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await nextTurn();
  };
  return { gate, begun, ask, endOne };
}

it('accounts take turns, however much one of them asks for', async () => {
  const { begun, ask, endOne } = setUp(2, 2);
  for (let i = 0; i < 6; i += 1) void ask('a', `a${i}`);
  void ask('b', 'b0');
  void ask('c', 'c0');
  void ask('b', 'b1');
  for (let i = 0; i < 9; i += 1) await endOne();
  expect(begun).toEqual(['a0', 'a1', 'a2', 'b0', 'c0', 'a3', 'b1', 'a4', 'a5']);
});

it('one account never has more than its places, and leaves the rest to others', async () => {
  const { begun, ask, endOne } = setUp(10, 2);
  for (let i = 0; i < 4; i += 1) void ask('a', `a${i}`);
  void ask('b', 'b0');
  expect(begun).toEqual(['a0', 'a1', 'b0']);
  await endOne();
  expect(begun).toEqual(['a0', 'a1', 'b0', 'a2']);
});

it('what is given up while it waits never begins and holds no place', async () => {
  const { begun, ask, endOne } = setUp(1, 1);
  const gone = new AbortController();
  void ask('a', 'a0');
  const waiting = ask('a', 'a1', () => gone.signal);
  void ask('a', 'a2');
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await endOne();
  expect(begun).toEqual(['a0', 'a2']);
});

it('a signal is watched only while work waits', async () => {
  const { ask, endOne } = setUp(1, 1);
  const { signal } = new AbortController();
  for (let i = 0; i < 4; i += 1) void ask('a', `a${i}`, () => signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(3);
  await endOne();
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  for (let i = 0; i < 3; i += 1) await endOne();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('a place is given back by work that fails', async () => {
  const { gate, ask, begun } = setUp(1, 1);
  await expect(gate.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await nextTurn();
  void ask('a');
  expect(begun).toEqual(['a']);
});

describe('without a signal', () => {
  /** Work of several accounts, in the order in which it begins; none of it ends before `release`. */
  function heldWork(atOnce: number, perAccount: number) {
    const gate = new FairGate({ atOnce, perAccount });
    const begun: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const run = (account: string, times = 1): Promise<void>[] =>
      Array.from({ length: times }, () =>
        gate.run(account, async () => {
          begun.push(account);
          await held;
        }),
      );
    return { begun, run, release: () => release() };
  }

  it('one who comes behind a thousand of somebody else is next', async () => {
    const { begun, run, release } = heldWork(1, 1);
    const all = [...run('storm', 1000), ...run('other'), ...run('third')];
    release();
    await Promise.all(all);
    expect(begun.slice(0, 5)).toEqual(['storm', 'storm', 'other', 'third', 'storm']);
    expect(begun).toHaveLength(1002);
  });

  it('no more is under way than there may be, and a failure gives its place away', async () => {
    const gate = new FairGate({ atOnce: 3, perAccount: 2 });
    let running = 0;
    let most = 0;
    const run = (i: number) =>
      gate.run(`app${i % 5}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (i % 2 === 0) throw new Error('failed');
        return i;
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => run(i)));
    expect(most).toBe(3);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
  });

  it('an account leaves places to others however long its work takes', async () => {
    const { begun, run, release } = heldWork(4, 2);
    const all = [...run('storm', 20), ...run('other'), ...run('third'), ...run('fourth')];
    await Promise.resolve();
    expect(begun).toEqual(['storm', 'storm', 'other', 'third']);
    release();
    await Promise.all(all);
    expect(begun).toHaveLength(23);
  });
});
