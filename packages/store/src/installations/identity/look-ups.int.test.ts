import { anInstallation, keysIn, unique, until } from '@pushfleet/testing';
import { intercepted } from '../../testing/intercepted';
import { storeUnderTest } from '../../testing/store-under-test';
import { newReleaseToken, openLookUps, type AskLookUp } from './look-ups';

const t = storeUnderTest();
const id = { kind: 'installationId', value: 'wanted' } as const;

let app: string;
let ask: AskLookUp;

beforeEach(() => {
  app = unique('app');
  ask = openLookUps(t);
});

const claim = () => ask({ app, step: 'claim', id, objectId: 'o' });
const leave = async () => (await ask({ app, step: 'leave', id, objectId: 'o', token: newReleaseToken() })).token;
const giveUp = (token: string) => ask({ app, step: 'give-up', id, objectId: 'o', token });
const owner = async () => (await ask({ app, step: 'look', id })).owner;

test('a release that a claim has ended does not end the one that began behind it', async () => {
  await claim();
  const first = await leave();
  await claim();
  const second = await leave();
  await giveUp(first);
  expect(await owner()).toBe('o');
  await giveUp(second);
  expect(await owner()).toBe('');
});

test('several who release one id share what the first of them has begun', async () => {
  await claim();
  const [first, second] = [await leave(), await leave()];
  expect(second).toBe(first);
});

test('a mark without a name, as earlier versions left them, gets one', async () => {
  await claim();
  await leave();
  const [releases = ''] = (await keysIn(t.redis, `${t.keys.namespace}:i:{${app}:*`)).filter((key) =>
    key.endsWith(':releases'),
  );
  await t.redis.hset(releases, t.keys.lookUp(app, id.kind, id.value).field, '');
  const named = await leave();
  expect(named).not.toBe('');
  await giveUp('');
  expect(await owner()).toBe('o');
  await giveUp(named);
  expect(await owner()).toBe('');
});

test('a release whose end comes late leaves an id to the record that has it again', async () => {
  const save = async () => {
    const body = anInstallation({ installationId: id.value });
    return (await t.store.installations.save({ app, body, now: t.clock.now() }))?.installation.objectId ?? '';
  };
  const first = await save();
  let goOn = (): void => undefined;
  const late = new Promise<void>((resolve) => (goOn = resolve));
  let isEnding = false;
  const slow = intercepted(t.redis, (command) => async (...args) => {
    if (args.includes('give-up')) {
      isEnding = true;
      await late;
    }
    return command(...args);
  });
  const removal = t.open({ redis: slow }).installations.remove(app, first);
  await until(() => isEnding);
  const again = await save();
  // Somebody who read the record before begins to take the id, and will not succeed.
  await ask({ app, step: 'leave', id, objectId: again, token: newReleaseToken() });
  goOn();
  await removal;
  expect(await owner()).toBe(again);
  expect(await save()).toBe(again);
});
