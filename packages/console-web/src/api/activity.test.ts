import { watchHands } from './activity';

it('counts what a hand did once, however often the page asks by itself', () => {
  const page = new EventTarget();
  const isByHand = watchHands(page);
  expect([isByHand(), isByHand(), isByHand()]).toEqual([true, false, false]);
  page.dispatchEvent(new Event('keydown'));
  page.dispatchEvent(new Event('pointerdown'));
  expect([isByHand(), isByHand()]).toEqual([true, false]);
});

it('takes what happens by itself for nobody', () => {
  const page = new EventTarget();
  const isByHand = watchHands(page);
  isByHand();
  for (const sign of ['focus', 'online', 'visibilitychange']) page.dispatchEvent(new Event(sign));
  expect(isByHand()).toBe(false);
});
