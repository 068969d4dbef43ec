import { carrierJob, carrierJobId, cancelJob, envelopeJob, laneJob, pageJob, soleJobId } from './jobs';
import { channelJobSchema, envelopeSchema } from './job-schemas';

const place = { pushId: 'push', channel: 'hms' };

test('processes of two versions must derive the same ids', () => {
  expect([
    ...[envelopeJob(['push']).id, soleJobId('push'), cancelJob('push').id],
    ...[laneJob(place, 3).id, pageJob(place, 3, 0).id, carrierJob('envelope', 'hms', []).id],
    ...[laneJob({ ...place, isCancelled: true }, 3).id, pageJob({ ...place, isCancelled: true }, 3, 0).id],
    ...[envelopeJob(['push', 'other']).id],
  ]).toEqual([
    ...['push', 'push', 'push-cancelled'],
    ...['push-hms-3', 'push-hms-p3', 'envelope-hms'],
    ...['push-hms-3-cancelled', 'push-hms-p3-cancelled'],
    ...['push-bf901af193c4de314d36482c533765f6f929cc32'],
  ]);
});

test('an envelope of other pushes is another job, and none hides another', () => {
  const ids = [['a'], ['a', 'b'], ['a', 'c'], ['b', 'a']].map((pushIds) => envelopeJob(pushIds).id);
  expect(new Set(ids).size).toBe(4);
});

test('what they carry is what consumers take', () => {
  const pages = [{ pushId: 'push', page: 1 }];
  for (const { data } of [laneJob(place, 1), pageJob(place, 1, 5), carrierJob('envelope', 'hms', pages)])
    expect(channelJobSchema.parse(data)).toEqual(data);
  for (const { data } of [envelopeJob(['push', 'other'], 7), cancelJob('push')])
    expect(envelopeSchema.parse(data)).toEqual(data);
});

test('a page waits for its time and no longer, and only what stands back has a priority', () => {
  expect([pageJob(place, 1, 500).delayMs, pageJob(place, 1, -500).delayMs]).toEqual([500, 0]);
  expect([envelopeJob(['push'], 7).priority, envelopeJob(['push']).priority]).toEqual([7, undefined]);
  expect(carrierJob('envelope', 'hms', []).id).toBe(carrierJobId('envelope', 'hms'));
});
