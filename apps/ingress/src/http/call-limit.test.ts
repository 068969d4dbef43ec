import { anApp } from '@pushfleet/testing';
import { openCallLimit } from './call-limit';

it('asks again for the calls of an app when the clock is set back', async () => {
  let now = 3_600_000;
  const grants = [
    { calls: 1, ms: 60_000 },
    { calls: 0, ms: 60_000 },
    { calls: 1, ms: 60_000 },
  ];
  const takeCalls = () => Promise.resolve(grants.shift() ?? { calls: 0, ms: 60_000 });
  const count = openCallLimit({ takeCalls }, () => now);
  const app = anApp();
  const push = async () => count(app, false);
  await push();
  await expect(push()).rejects.toThrow('limits.callsPerMinute');
  now = 0;
  await push();
  expect(grants).toEqual([]);
});
