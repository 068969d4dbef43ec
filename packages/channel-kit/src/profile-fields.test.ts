import type { JsonObject } from '@pushfleet/domain';
import { z } from 'zod';
import { defineChannel } from './channel';
import { type PushBatch } from './vendor-session';
import { secretFieldsOf } from './profile-fields';
import { commonProfileFields, secretSchema } from '@pushfleet/domain';

const seen: PushBatch[] = [];

const channelWith = (receiptIdField?: string) =>
  defineChannel<{ readonly key: string }>({
    ...{ vendor: 'test', names: { en: 'Demo', 'zh-CN': '演示' }, budget: {}, endpoints: {} },
    capabilities: { passThrough: true, maxBatch: 1, receipts: false, deduplicates: 'no-call' },
    aliases: { secret: 'key' },
    ...(receiptIdField === undefined ? {} : { receiptIdField }),
    profileSchema: z.strictObject({ ...commonProfileFields, key: z.string(), callbackId: z.string().optional() }),
    parseSection: (section) => section,
    open: () => ({
      preview(batch) {
        seen.push(batch);
        return { kind: 'preview', bytes: 1, truncated: false, notes: [] };
      },
      send(batch) {
        seen.push(batch);
        return Promise.resolve([]);
      },
      verify: () => Promise.resolve({ ok: true }),
    }),
  });

test('a field may be given under another name, and not under two', () => {
  const channel = channelWith();
  expect(channel.parseProfile({ secret: 's' })).toEqual({ key: 's' });
  expect(channel.parseProfile({ key: 's' })).toEqual({ key: 's' });
  expect(() => channel.parseProfile({ key: 's', secret: 's' })).toThrow(/secret/);
  for (const input of ['text', null, [], 7]) expect(() => channel.parseProfile(input)).toThrow(z.ZodError);
});

test.each<[JsonObject, string | undefined, boolean]>([
  [{}, undefined, true],
  [{ receipts: 'off' }, undefined, true],
  [{ receipts: 'url' }, undefined, true],
  [{ receipts: 'id' }, undefined, false],
  [{ receipts: 'id' }, 'callbackId', false],
  [{ receipts: 'id', callbackId: '7' }, 'callbackId', true],
  [{ receipts: 'always' }, 'callbackId', false],
])('a profile with %j, where the id is %s, is good: %s', (fields, idField, isGood) => {
  const parse = () => channelWith(idField).parseProfile({ key: 's', ...fields });
  if (isGood) expect(parse()).toEqual({ key: 's', ...fields });
  else expect(parse).toThrow(/receipts/);
});

test.each<[JsonObject, boolean]>([
  [{}, true],
  [{ receipts: 'url' }, true],
  [{ receipts: 'off' }, false],
  [{ receipts: 'id', callbackId: '7' }, false],
])('messages of a profile with %j carry an address for receipts: %s', async (fields, isCarried) => {
  seen.length = 0;
  const session = channelWith('callbackId').open({ key: 's', ...fields }, {} as never);
  await session.send(
    { receiptUrl: 'https://a.example', message: { section: {} } } as PushBatch,
    new AbortController().signal,
  );
  expect(seen[0]?.receiptUrl).toBe(isCarried ? 'https://a.example' : undefined);
});

it('the schema alone says which fields are secret', () => {
  const profileSchema = z.strictObject({ id: z.string(), key: secretSchema, receiptKey: secretSchema.optional() });
  expect(secretFieldsOf(profileSchema)).toEqual(['key', 'receiptKey']);
});
