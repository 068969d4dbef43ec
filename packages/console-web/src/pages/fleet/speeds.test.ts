import { speedsOf, withLook } from './speeds';

const look = (second: number, decided: number) => ({
  at: new Date(second * 1000).toISOString(),
  results: [{ channel: 'mi', decided }],
});

const afterLooks = (...looks: readonly ReturnType<typeof look>[]) =>
  looks.reduce<readonly ReturnType<typeof look>[]>((before, next) => withLook(before, next) as typeof before, []);

it('tells devices a second from the first look to the last', () => {
  expect(speedsOf(afterLooks(look(0, 100)))).toBeUndefined();
  expect(speedsOf(afterLooks(look(0, 100), look(5, 200), look(10, 600)))?.get('mi')).toBe(50);
});

it('forgets what was faster or slower more than half a minute ago', () => {
  const looks = Array.from({ length: 20 }, (_, i) => look(i * 5, i < 10 ? i * 1000 : 9000));
  expect(speedsOf(afterLooks(...looks))?.get('mi')).toBe(0);
  expect(afterLooks(...looks)).toHaveLength(7);
});

it('takes a look once, and no older one after a newer', () => {
  expect(afterLooks(look(5, 1), look(5, 1), look(4, 0))).toEqual([look(5, 1)]);
});

it('tells no speed below 0 when the sums began anew', () => {
  expect(speedsOf(afterLooks(look(0, 100), look(5, 3)))?.get('mi')).toBe(0);
});
