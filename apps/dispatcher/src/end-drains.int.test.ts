import { unique } from '@pushfleet/testing';
import { dispatchEnvelope } from './dispatch';
import { openDrainEnds, type Drained } from './end-drains';
import { openAttempt } from './attempts';
import { attempt, dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

/** The rounds of one dispatcher; each resolves with what was drained. */
function openRounds({ store = t.store, trying = attempt, channels = ['hms', 'mi'] } = {}) {
  const drained: Drained[] = [];
  const onDrained = (one: Drained): void => void drained.push(one);
  const endDrains = openDrainEnds({ store, channels, attempt: trying, onDrained });
  return async (): Promise<readonly Drained[]> => {
    await endDrains();
    return drained.splice(0);
  };
}

async function aPush(): Promise<string> {
  const app = await t.createApp();
  await t.register(app, [{ vendor: 'HMS', registrationId: unique('r') }]);
  return t.accept(app);
}

const dispatch = (pushId: string) => dispatchEnvelope(t.ports, unique('e'), [pushId]);
const drain = (since: number, scope: { app?: string } = {}) =>
  t.store.pacing.controls.set('hms', { state: 'draining', ...scope, since });

test('a channel without earlier pushes is paused at once', async () => {
  await drain(Date.now() - 1000);
  await dispatch(await aPush());
  expect(await openRounds()()).toEqual([{ channel: 'hms', control: expect.objectContaining({ state: 'draining' }) }]);
  expect(await t.store.pacing.controls.list('hms')).toMatchObject([{ state: 'paused' }]);
});

test('an earlier push holds the end up while it is not planned, and while it has work on the channel', async () => {
  const endDrains = openRounds();
  const pushId = await aPush();
  await drain(Date.now() + 1000);
  expect(await endDrains()).toEqual([]);
  await dispatch(pushId);
  expect(await endDrains()).toEqual([]);
  expect(await t.store.countOpenWork({ channel: 'hms' })).toEqual({ pushes: 1, devices: 1, isComplete: true });
  expect(await t.store.countOpenWork({ channel: 'mi' })).toEqual({ pushes: 0, devices: 0, isComplete: true });
});

test('the pushes of other apps hold up nothing that an app drains', async () => {
  await dispatch(await aPush());
  const { id: app } = await t.createApp();
  await drain(Date.now() + 1000, { app });
  expect(await openRounds()()).toHaveLength(1);
});

test('a channel and an app for which it fails are told, and the others are paused', async () => {
  const [spoilt, sound] = [await t.createApp(), await t.createApp()];
  for (const { id: app } of [spoilt, sound]) await drain(Date.now() - 1000, { app });
  const lost = new Error('WRONGTYPE');
  const { controls } = t.store.pacing;
  const list: typeof controls.list = (channel) => (channel === 'mi' ? Promise.reject(lost) : controls.list(channel));
  const countOpenWork: typeof t.store.countOpenWork = (scope, ...more) =>
    scope.app === spoilt.id ? Promise.reject(lost) : t.store.countOpenWork(scope, ...more);
  const store = { ...t.store, countOpenWork, pacing: { ...t.store.pacing, controls: { ...controls, list } } };
  const failed: unknown[] = [];
  const trying = openAttempt((_, turn) => void failed.push(turn));
  const drained = await openRounds({ store, trying, channels: ['mi', 'hms'] })();
  expect(drained.map(({ control }) => control.app)).toEqual([sound.id]);
  expect(failed).toEqual([{ channel: 'mi' }, { channel: 'hms', app: spoilt.id }]);
});

test('another dispatcher looks after it', async () => {
  await t.store.leases.hold('end-drains', 'another', 60_000);
  await drain(Date.now());
  expect(await openRounds()()).toEqual([]);
});
