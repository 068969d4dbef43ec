import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairGate } from './fair-gate';

const idle = () => new AbortController().signal;

function setUp(atOnce: number, perAccount: number) {
  const gate = new FairGate({ atOnce, perAccount });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (account: string, name = account, signal = idle) =>
    gate.run(account, signal, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
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
  await expect(gate.run('a', idle, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await nextTurn();
  void ask('a');
  expect(begun).toEqual(['a']);
});
