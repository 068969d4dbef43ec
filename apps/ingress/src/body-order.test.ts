import { BodyOrder } from './body-order';

const orderOf = (...names: readonly (readonly string[])[]): BodyOrder =>
  new BodyOrder((i) => names[i] ?? [], { begin: 0, end: names.length });

/** All that may begin now. */
function allOf(order: BodyOrder): number[] {
  const begun: number[] = [];
  for (let i = order.next(); i !== undefined; i = order.next()) begun.push(i);
  return begun;
}

test('what shares no name begins in order, without waiting', () => {
  expect(allOf(orderOf([], ['a'], ['b'], [], ['c']))).toEqual([0, 1, 2, 3, 4]);
});

test('what shares a name begins when the one before it is done, and keeps nobody else waiting', () => {
  const order = orderOf(['a'], ['a'], ['b'], ['a'], []);
  expect(allOf(order)).toEqual([0, 2, 4]);
  order.done(2);
  expect(allOf(order)).toEqual([]);
  order.done(0);
  expect(allOf(order)).toEqual([1]);
  order.done(1);
  expect(allOf(order)).toEqual([3]);
});

test('one of two names waits for both, and those behind it for it alone', () => {
  const order = orderOf(['a'], ['b'], ['a', 'b'], ['a'], ['b']);
  expect(allOf(order)).toEqual([0, 1]);
  order.done(1);
  expect(allOf(order)).toEqual([]);
  order.done(0);
  expect(allOf(order)).toEqual([2]);
  order.done(2);
  expect(allOf(order)).toEqual([3, 4]);
});

test('only its range is handed out', () => {
  const order = new BodyOrder(() => ['a'], { begin: 3, end: 5 });
  expect(allOf(order)).toEqual([3]);
  order.done(3);
  expect(allOf(order)).toEqual([4]);
  order.done(4);
  expect(allOf(order)).toEqual([]);
});
