import { z } from 'zod';
import { openTokenCache } from './token-cache';
import { defineChannel } from './channel';
import { type VendorSession } from './vendor-session';
import { memoryTokenStore } from './testing/memory-token-store';
import { messageFor, type JsonObject } from '@pushfleet/domain';

const session: VendorSession = {
  preview: () => ({ kind: 'preview', bytes: 1, truncated: false, notes: [] }),
  send: ({ registrationIds }) => Promise.resolve(registrationIds.map(() => ({ kind: 'accepted' }))),
  verify: () => Promise.resolve({ ok: true }),
};

const channel = defineChannel<{ packageName?: string | undefined }>({
  ...{ vendor: 'demo', names: { en: 'Demo', 'zh-CN': '演示' }, budget: {}, endpoints: {} },
  capabilities: { passThrough: true, maxBatch: 1, maxPayloadBytes: 1, receipts: false, deduplicates: 'no-call' },
  profileSchema: z.strictObject({ packageName: z.string().optional() }),
  parseSection: (section) => section,
  appData: new Set(['message.data']),
  open: () => session,
});

async function reasonOf(profile: JsonObject, section: JsonObject): Promise<unknown> {
  const now = (): number => 0;
  const http = { request: () => Promise.reject(new Error('no call')), close: () => Promise.resolve() };
  const opened = channel.open(profile, { http, tokens: openTokenCache(memoryTokenStore(), now), now, origins: {} });
  const message = messageFor({ data: { alert: 'a' }, sections: { demo: section } }, 'demo');
  const app = { name: 'Demo', overlong: 'truncate', intentHost: 'h' } as const;
  const batch = { pushId: 'p', batchId: 'b', message, app, registrationIds: ['r'], ttlMs: 1 };
  const [outcome] = await opened.send(batch, new AbortController().signal);
  const preview = opened.preview(batch);
  expect(preview.kind === 'discarded' ? preview : undefined).toEqual(
    outcome?.kind === 'discarded' ? outcome : undefined,
  );
  return outcome?.kind === 'discarded' ? outcome.reason : outcome?.kind;
}

it.each(['packageName', 'package', 'package_name', 'restricted_package_name'])(
  'a section whose %s has more than 128 bytes is discarded',
  async (key) => {
    expect(await reasonOf({}, { extra: [{ [key]: 'x'.repeat(128) }] })).toBe('accepted');
    expect(await reasonOf({}, { extra: [{ [key]: 'x'.repeat(129) }] })).toBe('package-name-too-long');
    expect(await reasonOf({}, { extra: [{ [key]: '包'.repeat(43) }] })).toBe('package-name-too-long');
  },
);

it('what a section hands to the app may use any key', async () => {
  const data = { package: 'x'.repeat(129), inner: { packageName: 'x'.repeat(129) } };
  expect(await reasonOf({}, { message: { data } })).toBe('accepted');
  expect(await reasonOf({}, { data })).toBe('package-name-too-long');
});

it('so is every message of a profile that was saved with one', async () => {
  expect(await reasonOf({ packageName: 'x'.repeat(129) }, {})).toBe('package-name-too-long');
});
