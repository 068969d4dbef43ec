import { compileWhere, parseWhere, type JsonObject } from '@pushfleet/domain';
import { bulkQueue } from '@pushfleet/queues';
import { unique } from '@pushfleet/testing';
import { dispatchEnvelope } from './dispatch';
import { resolveAudience } from './resolve-audience';
import { dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

const pointer = (objectId: string): JsonObject => ({ __type: 'Pointer', className: '_Installation', objectId });
const device = (more: JsonObject = {}): JsonObject => ({ vendor: 'HMS', registrationId: unique('r'), ...more });
const peersOf = (where: JsonObject): JsonObject =>
  parseWhere({ peer: { $inQuery: { className: '_Installation', where } } });

test('lanes walk with the sub-queries answered as they were when the push was dispatched', async () => {
  const app = await t.createApp();
  const [hub = ''] = await t.register(app, [device({ kind: 'hub' })]);
  await t.register(app, [device({ peer: pointer(hub) })]);
  const pushId = await t.accept(app, { audience: { predicate: peersOf({ kind: 'hub' }) } });
  await dispatchEnvelope(t.ports, pushId, [pushId]);
  const [late = ''] = await t.register(app, [device({ kind: 'hub' })]);
  await dispatchEnvelope(t.ports, pushId, [pushId]);
  expect(await t.job(bulkQueue('hms'), `${pushId}-hms-1`)).toEqual({ pushId, lane: 1 });
  const matches = compileWhere((await t.store.pushes.toSend(pushId))?.audience.predicate ?? {});
  expect([hub, late].map((id) => matches({ peer: pointer(id) }))).toEqual([true, false]);
});

test('an addressed push goes to the devices that its sub-query leaves', async () => {
  const app = await t.createApp();
  const [hub = ''] = await t.register(app, [device({ kind: 'hub' })]);
  const values = await t.register(app, [device({ peer: pointer(hub) }), device()]);
  const addressed = { field: 'objectId' as const, values };
  const pushId = await t.accept(app, { audience: { addressed, predicate: peersOf({ kind: 'hub' }) } });
  await dispatchEnvelope(t.ports, pushId, [pushId]);
  expect((await t.record(pushId)).channels['hms']).toMatchObject({ expected: 1, matched: 1 });
});

describe('a sub-query that finds too many', () => {
  async function accepted(): Promise<string> {
    const app = await t.createApp();
    for (let i = 0; i < 11; i += 1)
      await t.register(
        app,
        Array.from({ length: 91 }, () => device()),
      );
    return t.accept(app, { audience: { predicate: peersOf({}) } });
  }

  async function expectTold(pushId: string): Promise<void> {
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    const { status, channels, errors } = await t.record(pushId);
    expect([status, channels]).toEqual(['done', {}]);
    const { addressed, predicate } = (await t.store.pushes.toSend(pushId))?.audience ?? {};
    expect([addressed, predicate]).toEqual([{ field: 'objectId', values: [] }, undefined]);
    expect(errors).toEqual([
      {
        ...{ channel: '', reason: 'message-rejected', count: 0, samples: [], action: 'never' },
        vendorMessage: expect.stringContaining('more than 1000'),
      },
    ]);
  }

  test('reaches nobody, and the record says why', async () => expectTold(await accepted()));

  test('says why when the dispatcher that found out died before it wrote the plan, too', async () => {
    const pushId = await accepted();
    const push = await t.store.pushes.toSend(pushId);
    await resolveAudience(t.store, push as NonNullable<typeof push>);
    await expectTold(pushId);
  });
});
