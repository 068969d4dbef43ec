import type { AuditedPush } from '@pushfleet/store';
import { queuesWithWork } from './queues-with-work';

const push = (changes: Partial<AuditedPush>): AuditedPush => ({
  ...{ waitsSince: 0, state: 'dispatched', work: [], devicesLeft: {}, addsUp: true },
  ...changes,
});
const channels = new Set(['hms', 'own']);

test('a dispatched push has work on the queues of its channels', () => {
  const work = [
    { channel: 'hms', queue: 'direct' },
    { channel: 'hms', queue: 'bulk' },
  ] as const;
  expect(queuesWithWork(push({ work }), channels)).toEqual(['channel-hms', 'channel-hms-bulk']);
});

test('devices that no channel reaches are work of the own channel', () => {
  const work = [{ channel: 'none', queue: 'bulk' }] as const;
  expect(queuesWithWork(push({ work }), channels)).toEqual(['channel-own-bulk']);
});

test('a push that is not dispatched has work where its envelope waits', () => {
  expect(queuesWithWork(push({ state: 'accepted' }), channels)).toEqual(['push-requests']);
  expect(queuesWithWork(push({ state: 'scheduled' }), channels)).toEqual(['push-schedule']);
});
