import { unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const mine = { node: 'n1', connection: 'c1' };
const theirs = { node: 'n2', connection: 'c2' };

it('the newest connection holds the installation and learns whom it took it from', async () => {
  const device = unique('device');
  expect(await t.store.presence.attach(t.app, device, mine)).toEqual({ previous: undefined, references: [] });
  expect(await t.store.presence.attach(t.app, device, theirs)).toEqual({ previous: mine, references: [] });
});

it('who was taken over can neither renew nor remove the presence of the other', async () => {
  const device = unique('device');
  await t.store.presence.attach(t.app, device, mine);
  await t.store.presence.attach(t.app, device, theirs);
  expect(await t.store.presence.renew(t.app, device, mine)).toBeUndefined();
  await t.store.presence.detach(t.app, device, mine);
  expect(await t.store.presence.renew(t.app, device, theirs)).toEqual([]);
});

it('a presence that Redis forgot comes back when it is renewed', async () => {
  const device = unique('device');
  expect(await t.store.presence.renew(t.app, device, mine)).toEqual([]);
  expect(await t.store.presence.attach(t.app, device, theirs)).toMatchObject({ previous: mine });
});

it('a connection that left is nowhere', async () => {
  const device = unique('device');
  await t.store.presence.attach(t.app, device, mine);
  await t.store.presence.detach(t.app, device, mine);
  expect(await t.store.presence.attach(t.app, device, theirs)).toMatchObject({ previous: undefined });
});
