import {
  traitsOf,
  type Audience,
  type ChannelBooks,
  type FateRules,
  type Installation,
  type JsonObject,
  type PushRecord,
} from '@pushfleet/domain';
import { explainDevice } from './explain-device';

const AT = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (ms: number): string => new Date(ms).toISOString();

const rules: FateRules = {
  hybrid: true,
  profiles: new Set(['mi/_default']),
  channels: traitsOf([{ name: 'mi', capabilities: { passThrough: true } }]),
};
const installation: Installation = {
  ...{ objectId: 'object-1', installationId: 'installation-1', createdAt: iso(AT - 1), updatedAt: iso(AT - 1) },
  ...{ deviceType: 'android', channels: ['news', 'sport'], registrationId: 'address-1' },
};
const books: ChannelBooks = {
  ...{ expected: 2, matched: 2, accepted: 2, delivered: 0, lapsed: 0, clicked: 0, truncated: 0 },
  ...{ discarded: {}, failed: {}, outstanding: 0 },
};
const record: PushRecord = {
  ...{ objectId: 'p', app: 'a', notificationId: 'p', status: 'done', prod: 'prod', msg: {}, where: {} },
  ...{ createdAt: AT, updatedAt: AT, pushTime: AT, expiresAt: AT + 1, channels: { mi: books }, errors: [] },
};

interface Asked {
  readonly bucket?: string | undefined;
  readonly isDispatched?: boolean;
  readonly changes?: JsonObject;
}

function explain(audience: Audience, { bucket, isDispatched = true, changes = {} }: Asked = {}) {
  const push = { audience, content: { data: { alert: 'x' }, sections: {} }, isDispatched, pushTime: AT };
  return explainDevice({ installation: { ...installation, ...changes }, bucket }, { push, record }, rules);
}

const MATCHING: readonly (readonly [string, Audience])[] = [
  ['everybody', {}],
  ['its objectId', { addressed: { field: 'objectId', values: ['other', 'object-1'] } }],
  ['one of its subscriptions', { subscriptions: ['sport'] }],
  ['a condition that holds for it', { predicate: { deviceType: 'android' } }],
  ['its address', { devices: { bucket: 'mi/_default', registrationIds: ['other', 'address-1'] } }],
];
const OTHERS: readonly (readonly [string, Audience])[] = [
  ['of others', { addressed: { field: 'installationId', values: ['other'] } }],
  ['of a field that it does not have', { addressed: { field: 'deviceToken', values: ['x'] } }],
  ['that it has not subscribed to', { subscriptions: ['weather'] }],
  ['of other addresses', { devices: { bucket: 'mi/_default', registrationIds: ['other'] } }],
  ['with a condition that does not hold for it', { predicate: { deviceType: 'web' } }],
];

describe('before the push is dispatched', () => {
  const coming = { bucket: 'mi/_default', isDispatched: false };

  it.each(MATCHING)('a device in an audience of %s waits for it', (_name, audience) => {
    expect(explain(audience, coming)).toMatchObject({ outcome: 'not-dispatched', channel: 'mi' });
  });

  it.each(OTHERS)('a device is not found in an audience %s', (_name, audience) => {
    expect(explain(audience, coming)).toMatchObject({ outcome: 'not-matched' });
  });

  it('a device that is not valid is never found', () => {
    expect(explain({}, { isDispatched: false })).toMatchObject({ outcome: 'not-matched' });
  });

  it('the rule that will discard is named, and what to do about it', () => {
    expect(explain({}, { bucket: 'mi/beta', isDispatched: false })).toEqual({
      ...{ outcome: 'not-dispatched', channel: 'mi', reason: 'profile-missing', action: 'fix-config' },
      message: expect.stringContaining('as things are'),
    });
  });
});

describe('after the push was dispatched', () => {
  const saved = { updatedAt: iso(AT + 1) };

  it.each(MATCHING)('a device in an audience of %s was accepted when nobody was refused', (_name, audience) => {
    expect(explain(audience)).toMatchObject({ outcome: 'accepted', channel: 'mi' });
  });

  it.each(OTHERS)('a device is not found in an audience %s', (_name, audience) => {
    expect(explain(audience)).toMatchObject({ outcome: 'not-matched' });
  });

  it.each([undefined, 'mi/gone', 'retired:mi', 'unknown'])('the bucket %s of today says nothing', (bucket) => {
    const changes = { valid: false };
    expect(explain({ predicate: { valid: true } }, { bucket: 'retired:mi', changes }).outcome).toBe('accepted');
    expect(explain({}, { bucket })).toMatchObject({ outcome: 'accepted', channel: 'mi' });
  });

  it('a device that was saved since is told of with care, where the save may have changed the answer', () => {
    for (const [, audience] of [...MATCHING.slice(2), ...OTHERS.slice(1)])
      expect(explain(audience, { changes: saved })).toMatchObject({
        outcome: 'not-kept',
        message: expect.stringContaining('saved since'),
      });
    for (const [, audience] of MATCHING.slice(0, 2))
      expect(explain(audience, { changes: saved })).toMatchObject({ outcome: 'accepted' });
    const created = { ...saved, createdAt: iso(AT + 1) };
    expect(explain({}, { changes: created })).toMatchObject({ outcome: 'not-kept' });
  });

  it('a list of devices that was too long to be kept may have held it', () => {
    expect(explain({ isForgotten: true })).toMatchObject({
      outcome: 'not-kept',
      message: expect.stringContaining('list of devices'),
    });
  });
});
