import { storySchema, storyText } from './device-story';

const AT = '2026-11-21T08:30:00.000Z';
const STORY = {
  ...{ objectId: 'o1', installationId: 'i1', updatedAt: AT },
  now: { isReachable: true, channel: 'mi', profile: '_default' },
  ...{ gateway: { isConnected: false }, mailbox: { messages: 0 }, pushes: [], pushesLookedAt: 41 },
};
const textOf = (changes: object): string => storyText(storySchema.parse({ ...STORY, ...changes }));

it('names the road to a device that is reached, and where a push would wait', () => {
  expect(textOf({})).toMatch(/reached now: +yes, by mi, profile _default\n/);
  expect(textOf({})).toContain('none of the last 41 pushes of the app was for it');
  const waiting = { reason: 'throttled', means: 'm', remedy: 'Nothing.', until: AT, campaignsOnly: true };
  const silent = { isReachable: false, channel: 'mi', reason: 'silent-unsupported' };
  const text = textOf({ now: { ...STORY.now, waiting, silent } });
  expect(text).toMatch(/a push waits: +throttled, if it is a campaign, until 2026-.*Z. Nothing.\n/);
  expect(text).toMatch(/silent pushes: +no: silent-unsupported\n/);
});

it('says why a device is not reached and what to do', () => {
  const now = { isReachable: false, channel: 'hms', reason: 'profile-missing', means: 'M.', remedy: 'R.' };
  expect(textOf({ now })).toMatch(/reached now: +no: profile-missing\nmeans: +M.\nwhat to do: +R.\n/);
});

it('tells what became of its pushes', () => {
  const push = { objectId: 'p1', createdAt: AT, outcome: 'accepted', channel: 'own', receipts: ['delivered'] };
  const other = { objectId: 'p2', createdAt: AT, outcome: 'not-kept', message: 'Nobody knows.', inMailbox: true };
  const text = textOf({
    ...{ pushes: [push, other], gateway: { isConnected: true, id: 'g1' } },
    mailbox: { messages: 1, oldestAt: AT },
  });
  expect(text).toMatch(/p1 .*accepted +own .*delivered/);
  expect(text).toMatch(/p2 .*not-kept .*in the mailbox +Nobody knows\./);
  expect(text).toMatch(/connected: +yes, to g1\nmailbox: +1 messages since 2026/);
});
