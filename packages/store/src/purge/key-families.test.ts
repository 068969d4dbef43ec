import { COUNTED_RECEIPTS } from '@pushfleet/domain';
import { storeKeys, type StoreKeys } from '../store-keys';
import { familyOf, KEY_FAMILIES } from './key-families';

const k = storeKeys('fleet');
const APP = 'App_with-dash9';
const PUSH = 'abcdefghijklmn0f';
const ref = { app: APP, channel: 'hms', profile: '_default' };

/** A key of every method: one that is added is missed by the compiler until it stands here. */
const SAMPLES: Readonly<Record<Exclude<keyof StoreKeys, 'namespace' | 'pushPrefix'>, readonly string[]>> = {
  records: [k.records(APP, 3)],
  bucket: [k.bucket(APP, 255, 'hms/_default'), k.bucket(APP, 255, 'retired:hms/a:b')],
  subscribers: [k.subscribers(APP, 0, { bucket: 'own/_default', channel: 'news\n:{x}' })],
  subscriptions: [`${k.subscriptions(APP, 0)}own:news`],
  channelShards: [k.channelShards(APP, 255)],
  channelDoubts: [k.channelDoubts(APP, 255)],
  channelIndexes: [k.channelIndexes()],
  column: [k.column(APP, 255, 'user_2')],
  columnStamp: [k.columnStamp(APP, 255)],
  walkedColumns: [k.walkedColumns(APP)],
  columnNames: [k.columnNames(APP)],
  columnIndexes: [k.columnIndexes()],
  lookUp: [k.lookUp(APP, 'deviceToken', 'x').key],
  lookUps: [k.lookUps(APP, 'registrationId', 7)],
  releases: [k.releases(APP, 'installationId', 7)],
  fences: [k.fences(APP, 3)],
  buckets: [k.buckets(APP)],
  profileBuckets: [k.profileBuckets(APP)],
  bucketMoves: [k.bucketMoves()],
  installationBytes: [k.installationBytes(APP, 3)],
  unconfirmed: [k.unconfirmed(APP, 255)],
  evictions: [k.evictions(APP)],
  retired: [k.retired(APP)],
  sweep: [k.sweep(APP)],
  unseen: [k.unseen()],
  pushRecord: [k.pushRecord(PUSH)],
  ledger: [k.ledger(PUSH)],
  verdicts: [k.verdicts(PUSH)],
  outcomes: [k.outcomes(PUSH)],
  outcomesOf: [k.outcomesOf(APP)],
  receipts: COUNTED_RECEIPTS.flatMap((kind) => [k.receipts(PUSH, kind), `${k.receipts(PUSH, kind)}:sketch`]),
  openPushes: [k.openPushes(9)],
  closedPushes: [k.closedPushes(9)],
  ownTexts: [k.ownTexts(9)],
  totals: [k.totals(9)],
  requestClaim: [k.requestClaim(APP, 'req1'), k.requestClaim(APP, 'req1', 'app-key')],
  notification: [k.notification(APP, 'note1')],
  fullOfPushes: [k.fullOfPushes()],
  pushesOf: [k.pushesOf(APP), k.pushesOf(APP, 'rtm')],
  schedule: [k.schedule(APP)],
  scheduleCount: [k.scheduleCount(APP)],
  furtherPlaces: [k.furtherPlaces(APP)],
  callsOf: [k.callsOf(APP, 'app-key'), k.callsOf(APP, 'master-key')],
  deliveries: [k.deliveries(APP, '2026-11-22')],
  muted: [k.muted(APP, 7)],
  mutesOfBefore: [k.mutesOfBefore(APP, 'conversation:1.2'), k.mutesOfBefore(APP, '7')],
  bindings: [k.bindings(APP, 7)],
  bindingBytes: [k.bindingBytes(APP, 7)],
  answer: [k.answer(APP, 'abc')],
  mailbox: [k.mailbox(APP, 'an installation: {1}')],
  presence: [k.presence(APP, 'an installation: {1}')],
  ownMessage: [k.ownMessage(PUSH)],
  ownLost: [k.ownLost(PUSH)],
  preflightQuestions: [k.preflightQuestions()],
  preflight: [k.preflight('0b1c2d')],
  processes: [k.processes(), `${k.processes()}:facts`],
  settings: [k.settings()],
  auditLog: [k.auditLog()],
  gateways: [k.gateways()],
  hints: [k.hints('node').sequence],
  apps: [k.apps()],
  purges: [k.purges()],
  format: [k.format()],
  sealing: [k.sealing()],
  lease: [k.lease('watch')],
  controls: [k.controls('hms')],
  breakers: [k.breakers('hms')],
  pushHolds: [k.pushHolds('hms')],
  slowCalls: [k.slowCalls('hms')],
  callLimits: [k.callLimits('hms')],
  vendorWaits: [k.vendorWaits('hms')],
  workers: [k.workers('hms')],
  profilePace: [k.profilePace(ref, 'requests')],
  pushPace: [k.pushPace(PUSH)],
  profiles: [k.profiles(APP)],
  profileNotes: [k.profileNotes(APP)],
  accessToken: [k.accessToken('hms:1:digest')],
  accessTokenClaim: [k.accessTokenClaim('hms:1:digest')],
  user: [k.user('user:1')],
  tokensOf: [k.tokensOf('user:1')],
  macToken: [k.macToken('digest')],
  client: [k.client('client')],
  accountKey: [k.accountKey()],
  receiptSignature: [k.receiptSignature('digest')],
  nonces: [k.nonces('digest', 12)],
  failures: [k.failures('digest')],
};

const samples = Object.entries(SAMPLES).flatMap(([method, keys]) => keys.map((key) => [method, key] as const));

test.each(samples)('%s: %j is of exactly one family', (_, key) => {
  const rest = key.slice('fleet:'.length);
  expect(KEY_FAMILIES.filter(({ pattern }) => pattern.test(rest))).toHaveLength(1);
  const found = familyOf('fleet', key);
  // What has an app in its name is the app's, and nothing else is.
  expect(found?.app).toBe(key.includes(APP) ? APP : undefined);
  if (found?.family.owner === 'app') expect(['installations', 'name']).toContain(found.family.purge);
});

test('every method that makes a key has a sample', () => {
  const methods = Object.keys(k).filter((name) => !['namespace', 'pushPrefix'].includes(name));
  expect(methods.sort()).toEqual(Object.keys(SAMPLES).sort());
});

test.each(['other:apps', 'fleet2:apps', 'fleet:{push-requests}:push-requests:wait', 'fleet:unheard-of', 'fleet'])(
  '%s is nobody’s',
  (key) => expect(familyOf('fleet', key)).toBeUndefined(),
);

test('an app whose id begins another’s id is not that other', () => {
  expect(familyOf('fleet', k.pushesOf(`${APP}2`))?.app).toBe(`${APP}2`);
  expect(familyOf('fleet', k.records(`${APP}2`, 1))?.app).toBe(`${APP}2`);
});
