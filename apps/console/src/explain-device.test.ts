import type { Audience, Installation, RoutingRules } from '@pushfleet/domain';
import { explainDevice } from './explain-device';

const rules: RoutingRules = { hybrid: true, profiles: new Set(['mi/_default']), available: new Set(['mi', 'own']) };
const installation: Installation = {
  ...{ objectId: 'object-1', installationId: 'installation-1', createdAt: '', updatedAt: '' },
  ...{ deviceType: 'android', channels: ['news', 'sport'], registrationId: 'address-1' },
};
const explain = (audience: Audience, bucket: string | undefined = 'mi/_default') =>
  explainDevice({ installation, bucket }, audience, rules);

describe('explainDevice', () => {
  it.each<[string, Audience]>([
    ['everybody', {}],
    ['its objectId', { addressed: { field: 'objectId', values: ['other', 'object-1'] } }],
    ['one of its subscriptions', { subscriptions: ['sport'] }],
    ['a condition that holds for it', { predicate: { deviceType: 'android' } }],
    ['its address', { devices: { bucket: 'mi/_default', registrationIds: ['other', 'address-1'] } }],
  ])('finds a device in an audience of %s', (_name, audience) => {
    expect(explain(audience)).toMatchObject({ outcome: 'not-kept', channel: 'mi' });
  });

  it.each<[string, Audience]>([
    ['of others', { addressed: { field: 'installationId', values: ['other'] } }],
    ['of a field that it does not have', { addressed: { field: 'deviceToken', values: ['x'] } }],
    ['that it has not subscribed to', { subscriptions: ['weather'] }],
    ['of other addresses', { devices: { bucket: 'mi/_default', registrationIds: ['other'] } }],
    ['that was too long to be kept', { isForgotten: true }],
    ['with a condition that does not hold for it', { predicate: { deviceType: 'web' } }],
  ])('does not find a device in an audience %s', (_name, audience) => {
    expect(explain(audience)).toMatchObject({ outcome: 'not-matched' });
  });

  it('never finds a device that is not valid', () => {
    expect(explainDevice({ installation, bucket: undefined }, {}, rules)).toMatchObject({ outcome: 'not-matched' });
  });

  it('names the rule that discards, and what to do about it', () => {
    expect(explain({}, 'mi/beta')).toEqual({
      ...{ outcome: 'discarded', channel: 'mi', reason: 'profile-missing', action: 'fix-config' },
    });
  });

  it('tells how many refusals are kept', () => {
    expect(explain({})).toMatchObject({ message: expect.stringContaining('100,000') });
  });
});
