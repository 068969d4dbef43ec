import { setTimeout as delay } from 'node:timers/promises';
import { openDeadlines, type Work } from './deadlines';
import { CallerGone } from './refusal';

const tooLate = () => new Error('too late');
const here = () => false;

it('work that ends in time settles as it does', async () => {
  const { begin } = openDeadlines(10_000, tooLate);
  const work = begin(here);
  await expect(work.within(Promise.resolve('done'))).resolves.toBe('done');
  await expect(work.within(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(work.signal.aborted).toBe(false);
  work.close();
});

it('work that does not is given up, each at its own time, and told so', async () => {
  const { begin } = openDeadlines(50, tooLate);
  const works = Array.from({ length: 3 }, () => begin(here));
  const endless = works.map((work) => work.within(new Promise(() => undefined)));
  const early = works[0]?.signal;
  await expect(begin(here).within(delay(20, 'slow'))).resolves.toBe('slow');
  for (const part of endless) await expect(part).rejects.toThrow('too late');
  for (const signal of [early, works[1]?.signal]) expect(signal?.reason).toEqual(tooLate());
  await expect(begin(here).within(delay(1, 'later'))).resolves.toBe('later');
});

it('work ends with its caller', async () => {
  let isGone = false;
  const work = openDeadlines(60_000, tooLate).begin(() => isGone);
  const part = work.within(new Promise(() => undefined));
  const { signal } = work;
  isGone = true;
  await expect(part).rejects.toBeInstanceOf(CallerGone);
  expect(signal.aborted).toBe(true);
});

it('the time of the caller does not count', async () => {
  const { begin } = openDeadlines(50, tooLate);
  const work: Work = begin(here);
  work.pause();
  await delay(250);
  work.restart();
  await expect(work.within(Promise.resolve('read'))).resolves.toBe('read');
  work.close();
});
