import { Turns, type Frame, type Speaker } from './turns';

/** A loop that goes round when it is told to, and frames that take as long as they say. */
function stage() {
  let nowMs = 0;
  const due: (() => void)[] = [];
  const attended: string[] = [];
  const waits: number[] = [];
  const turns = new Turns({ now: () => nowMs, soon: (work) => due.push(work), onWait: () => waits.push(nowMs) });
  const held = new Set<string>();
  const speaker = (address: string, name: string): Speaker => ({
    address,
    attend(frame: Frame) {
      attended.push(`${name}${frame.toString()}`);
      nowMs += 3;
    },
    hold: () => held.add(name),
    release: () => held.delete(name),
  });
  const goRound = (): readonly string[] => {
    attended.length = 0;
    due.splice(0).forEach((work) => work());
    return [...attended];
  };
  return { turns, attended, held, waits, speaker, goRound };
}

test('what comes is attended to at once while there is time', () => {
  const { turns, attended, held, speaker } = stage();
  turns.take(speaker('x', 'a'), '1');
  turns.take(speaker('y', 'b'), '1');
  expect([attended, held.size]).toEqual([['a1', 'b1'], 0]);
});

test('then addresses take turns, and connections of one address share its turn', () => {
  const { turns, speaker, goRound, held, waits } = stage();
  const [a, b, c] = [speaker('x', 'a'), speaker('x', 'b'), speaker('y', 'c')];
  for (const frame of ['1', '2', '3', '4']) turns.take(a, frame);
  for (const frame of ['1', '2']) turns.take(b, frame);
  turns.take(c, '1');
  turns.take(c, '2');
  expect([[...held], waits.length]).toEqual([['a', 'b', 'c'], 6]);
  // Two frames take as long as a round may.
  expect([goRound(), goRound(), goRound()]).toEqual([
    ['a3', 'c1'],
    ['b1', 'c2'],
    ['a4', 'b2'],
  ]);
  expect(held.size).toBe(0);
});

test('a frame that comes late does not overtake those of its own connection', () => {
  const { turns, speaker, goRound } = stage();
  const a = speaker('x', 'a');
  for (const frame of ['1', '2', '3', '4', '5', '6']) turns.take(a, frame);
  expect(goRound()).toEqual(['a3', 'a4']);
  turns.take(a, '7');
  expect([goRound(), goRound()]).toEqual([['a5', 'a6'], ['a7']]);
});

test('who is gone keeps nobody waiting', () => {
  const { turns, speaker, goRound } = stage();
  const [a, b] = [speaker('x', 'a'), speaker('y', 'b')];
  for (const frame of ['1', '2', '3', '4']) turns.take(a, frame);
  turns.take(b, '1');
  turns.forget(a);
  expect(goRound()).toEqual(['b1']);
  turns.take(a, '5');
  expect(goRound()).toEqual([]);
});
