import { until } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const token = (value: string, lifeMs = 60_000) => ({ value, expiresAt: t.clock.now() + lifeMs });

it('a token is shared by every process until it expires', async () => {
  const given = token('secret-token');
  await t.store.tokens.write('hms/a', given);
  expect(await t.open().tokens.read('hms/a')).toEqual(given);
  expect(await t.store.tokens.read('hms/b')).toBeUndefined();
  await t.store.tokens.write('hms/short', token('x', 30));
  await until(async () => (await t.store.tokens.read('hms/short')) === undefined);
});

it('a token that expired already is not kept', async () => {
  await t.store.tokens.write('hms/old', token('x', -5000));
  await until(async () => (await t.store.tokens.read('hms/old')) === undefined);
});

it('dropping removes only the token that was refused, never its successor', async () => {
  await t.store.tokens.write('mi/a', token('one'));
  await t.store.tokens.write('mi/a', token('two'));
  await t.store.tokens.drop('mi/a', 'one');
  expect(await t.store.tokens.read('mi/a')).toMatchObject({ value: 'two' });
  await t.store.tokens.drop('mi/a', 'two');
  expect(await t.store.tokens.read('mi/a')).toBeUndefined();
  await t.store.tokens.drop('mi/a', 'two');
});

it('one process of all may fetch a token, until it lets go or takes too long', async () => {
  const claims = await Promise.all(Array.from({ length: 5 }, () => t.open().tokens.claim('oppo/a', 60_000)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  await t.store.tokens.release('oppo/a', 'the claim of another');
  expect(await t.store.tokens.claim('oppo/a', 20)).toBeUndefined();
  await t.store.tokens.release('oppo/a', claims.find((claim) => claim !== undefined) ?? '');
  expect(await t.store.tokens.claim('oppo/a', 20)).toBeDefined();
  await until(() => t.store.tokens.claim('oppo/a', 20));
});

it('the claim does not hide the token', async () => {
  await t.store.tokens.claim('vivo/a', 60_000);
  await t.store.tokens.write('vivo/a', token('v'));
  expect(await t.store.tokens.read('vivo/a')).toMatchObject({ value: 'v' });
});
