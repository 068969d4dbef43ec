import { channels } from '@pushfleet/channels';
import { traitsOf } from '@pushfleet/domain';
import { FATE_CASES, FATE_PROFILES, unique } from '@pushfleet/testing';
import { dispatchEnvelope } from './dispatch';
import { dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

describe.each(['audience', 'addressed'])('the record of an %s push', (kind) => {
  test.each(FATE_CASES)('tells the fate of $name', async ({ device, isRetired, hybrid = true, ...wanted }) => {
    const app = await t.createApp(FATE_PROFILES);
    await t.store.apps.update(app.id, (stored) => ({ ...stored, hybrid }));
    const registrationId = unique('r');
    const body = 'registrationId' in device ? { ...device, registrationId } : device;
    const [objectId = ''] = await t.register(app, [body]);
    if (isRetired === true) await t.store.installations.retire(app.id, { objectId, registrationId });
    const audience = kind === 'audience' ? {} : { addressed: { field: 'objectId' as const, values: [objectId] } };
    const pushId = await t.accept(app, { audience, content: wanted.content });
    await dispatchEnvelope({ ...t.ports, traits: traitsOf(Object.values(channels)) }, 'envelope', [pushId]);
    const { channels: columns, errors } = await t.record(pushId);
    expect(Object.keys(columns)).toEqual([wanted.channel]);
    const { reason } = wanted;
    expect(columns[wanted.channel]?.discarded).toEqual(reason === undefined ? {} : { [reason]: 1 });
    const named = errors.map((error) => [error.channel, error.reason, error.samples]);
    expect(named).toEqual(reason === undefined ? [] : [[wanted.channel, reason, [objectId]]]);
    expect((await t.store.pushes.verdict(pushId, objectId))?.reason).toBe(reason);
  });
});
