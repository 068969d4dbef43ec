import { LIMITS } from '@pushfleet/domain';
import { Refusal } from './refusal';
import { openStreamTerm } from './stream-term';

it('judges the caller before each piece', async () => {
  let judged = 0;
  const held = openStreamTerm(async () => {
    judged += 1;
    if (judged > 2) throw new Refusal('unauthorised', 'signed out');
  });
  await held();
  await held();
  await expect(held()).rejects.toThrow('signed out');
});

it('ends what takes too long', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const held = openStreamTerm(() => Promise.resolve());
  clock.mockReturnValue(LIMITS.streamMs.value - 1);
  await held();
  clock.mockReturnValue(LIMITS.streamMs.value);
  await expect(held()).rejects.toThrow('longer than 3600000 ms');
  clock.mockRestore();
});
