import { batchFor } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { buildRequest } from './request';
import { parseSection } from './section';
import { SIMULATOR_PROFILE } from './simulator';

function bodyOf(data: JsonObject, section: JsonObject = {}): JsonObject {
  const built = buildRequest(batchFor('__name__', { data, section: parseSection(section) }), SIMULATOR_PROFILE);
  if (built.kind === 'discarded') throw new Error(built.vendorMessage);
  return JSON.parse(built.body) as JsonObject;
}

test('a notification carries texts, attributes and what tells it apart', () => {
  expect(bodyOf({ alert: 'A', title: 'T', k: 'v' })).toMatchObject({
    requestId: 'batch-1',
    tag: 'pushidpushidpush',
    ttl: 3600,
    tokens: ['r1', 'r2'],
    data: { k: 'v' },
    notification: { title: 'T', body: 'A', category: 'IM' },
  });
});

test('a silent message shows nothing', () => {
  const body = bodyOf({ silent: true, k: 'v' });
  expect(body).not.toHaveProperty('notification');
  expect(body).toMatchObject({ data: { k: 'v', silent: true } });
});

test('a section replaces what the push generates, and nothing that tells pushes apart', () => {
  const section = { notification: { category: 'NEWS' }, tag: 'other' };
  expect(bodyOf({ alert: 'A' }, section)).toMatchObject({
    tag: 'pushidpushidpush',
    notification: { body: 'A', category: 'NEWS' },
  });
});

test('a title that is too long is cut, or the message refused where the app wants that', () => {
  const long = { data: { alert: 'A', title: 'x'.repeat(101) } };
  const app = { name: 'Demo', overlong: 'reject', intentHost: 'example.com' } as const;
  expect(buildRequest(batchFor('__name__', long), SIMULATOR_PROFILE)).toMatchObject({ kind: 'request', truncated: true });
  expect(buildRequest(batchFor('__name__', long, { app }), SIMULATOR_PROFILE)).toMatchObject({ kind: 'discarded' });
});
