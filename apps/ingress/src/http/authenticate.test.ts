import { createHash } from 'node:crypto';
import { type AppWithKeys } from '@pushfleet/domain';
import { anApp } from '@pushfleet/testing';
import { openAuthenticate } from './authenticate';
import { Refusal } from './problem';

/** Printed in the REST guide of the hosted service. */
const PUBLISHED = { key: 'UtOCzqb67d3sN12Kts4URwy8', masterKey: 'DyJegPlemooo4X1tg94gQkw1', at: 1453014943466 };
const APP = anApp({ id: 'FFnN2hso42Wego3pWq4X5qlu', key: PUBLISHED.key, masterKey: PUBLISHED.masterKey });
const ID = { 'x-lc-id': APP.id };

const authenticateWith = ({ signMaxAgeMs = 0, now = PUBLISHED.at } = {}) =>
  openAuthenticate({
    findApp: async (id): Promise<AppWithKeys | undefined> => (id === APP.id ? APP : undefined),
    now: () => now,
    signMaxAgeMs,
  });
const authenticate = authenticateWith();

const refusalOf = async (attempt: Promise<unknown>): Promise<Refusal> => {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return error;
  throw new Error('it was not refused', { cause: error });
};

const NO_ID = 'The header X-LC-Id is missing.';
/** For an app that does not exist, too: nobody learns by it which apps there are. */
const WRONG = '';
const UNMARKED = 'The master key needs ",master" behind it.';
const SIGN =
  'X-LC-Sign must be the md5 in lower case of timestamp and key, a comma, the timestamp, and ",master" for the master key.';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

it('the published signature of an app key is right', async () => {
  const sign = 'd5bcbb897e19b2f6633c716dfdfaf9be,1453014943466';
  await expect(authenticate({ ...ID, 'x-lc-sign': sign })).resolves.toEqual({ app: APP, isMaster: false });
});

it('the published signature of a master key is right', async () => {
  const sign = 'e074720658078c898aa0d4b1b82bdf4b,1453014943466,master';
  await expect(authenticate({ ...ID, 'x-lc-sign': sign })).resolves.toEqual({ app: APP, isMaster: true });
});

it.each([
  ['the app key', PUBLISHED.key, false],
  ['the master key', `${PUBLISHED.masterKey},master`, true],
])('%s is enough', async (_, key, isMaster) => {
  await expect(authenticate({ ...ID, 'x-lc-key': key })).resolves.toEqual({ app: APP, isMaster });
});

it('the older header names mean the same', async () => {
  const headers = { 'x-avoscloud-application-id': APP.id, 'x-avoscloud-application-key': APP.key };
  await expect(authenticate(headers)).resolves.toEqual({ app: APP, isMaster: false });
});

it('a signature may have the older header name', async () => {
  const id = { 'x-avoscloud-application-id': APP.id };
  const sign = 'e074720658078c898aa0d4b1b82bdf4b,1453014943466,master';
  await expect(authenticate({ ...id, 'x-avoscloud-request-sign': sign })).resolves.toEqual({
    app: APP,
    isMaster: true,
  });
});

it.each([
  ['no headers', {}, NO_ID],
  ['a key without an app', { 'x-lc-key': PUBLISHED.key }, NO_ID],
  ['no key', ID, 'The header X-LC-Key or X-LC-Sign is missing.'],
  ['an empty key', { ...ID, 'x-lc-key': '' }, WRONG],
  ['a wrong key', { ...ID, 'x-lc-key': 'UtOCzqb67d3sN12Kts4URwy9' }, WRONG],
  ['a master key without its mark', { ...ID, 'x-lc-key': PUBLISHED.masterKey }, UNMARKED],
  [
    'a signature of the master key without its mark',
    { ...ID, 'x-lc-sign': 'e074720658078c898aa0d4b1b82bdf4b,1453014943466' },
    UNMARKED,
  ],
  ['an app key marked as master key', { ...ID, 'x-lc-key': `${PUBLISHED.key},master` }, WRONG],
  ['an unknown app', { 'x-lc-id': 'nobody', 'x-lc-key': PUBLISHED.key }, WRONG],
  [
    'an unknown app with a master key without its mark',
    { 'x-lc-id': 'nobody', 'x-lc-key': PUBLISHED.masterKey },
    WRONG,
  ],
  ['an unknown app with the stand-in key', { 'x-lc-id': 'nobody', 'x-lc-key': 'no app has this key' }, WRONG],
  [
    'an unknown app with the stand-in master key',
    { 'x-lc-id': 'nobody', 'x-lc-key': 'no app has this master key' },
    WRONG,
  ],
  ['an endless app id', { 'x-lc-id': 'x'.repeat(10_000), 'x-lc-key': PUBLISHED.key }, WRONG],
  ['an upper-case digest', { ...ID, 'x-lc-sign': 'D5BCBB897E19B2F6633C716DFDFAF9BE,1453014943466' }, SIGN],
  ['a digest of another time', { ...ID, 'x-lc-sign': 'd5bcbb897e19b2f6633c716dfdfaf9be,1453014943467' }, WRONG],
  ['a signature without time', { ...ID, 'x-lc-sign': 'd5bcbb897e19b2f6633c716dfdfaf9be' }, SIGN],
  [
    'an app signature marked as master',
    { ...ID, 'x-lc-sign': 'd5bcbb897e19b2f6633c716dfdfaf9be,1453014943466,master' },
    WRONG,
  ],
])('%s is refused', async (_, headers, why) => {
  const refusal = await refusalOf(authenticate(headers));
  expect([refusal.problem, refusal.message]).toEqual(['unauthorised', `Unauthorized. ${why}`.trimEnd()]);
});

it.each([
  ['with the app key', { 'x-lc-key': 'old' }, false],
  ['with the master key', { 'x-lc-key': 'old-master,master' }, true],
  ['with a signature', { 'x-lc-sign': `${md5('1old')},1` }, false],
  ['with a signature of the master key', { 'x-lc-sign': `${md5('1old-master')},1,master` }, true],
])('a key that was replaced is taken until its time, %s', async (_, claim, isMaster) => {
  const until = PUBLISHED.at;
  const app: AppWithKeys = {
    ...APP,
    replacedKeys: [
      { which: 'key', value: 'old', until },
      { which: 'masterKey', value: 'old-master', until },
    ],
  };
  // The app stays as it was read: what was remembered of it does not prolong the life of a key.
  const at = (now: number) => openAuthenticate({ findApp: async () => app, now: () => now, signMaxAgeMs: 0 });
  await expect(at(until - 1)({ ...ID, ...claim })).resolves.toEqual({ app, isMaster });
  const refusal = await refusalOf(at(until)({ ...ID, ...claim }));
  expect(refusal.message).toBe('Unauthorized.');
});

it('a signature by a native library is refused by naming the policy', async () => {
  const refusal = await refusalOf(authenticate({ ...ID, 'x-lc-sign': 'abc,1453014943466,ax-sig-1' }));
  expect(refusal.problem).toBe('unauthorised');
  expect(refusal.message).toMatch(/ax-sig-1.*docs\/migrate\.md/);
});

it('signatures do not age unless told to', async () => {
  const sign = `${md5(`1${APP.key}`)},1`;
  await expect(authenticate({ ...ID, 'x-lc-sign': sign })).resolves.toMatchObject({ isMaster: false });
  const strict = authenticateWith({ signMaxAgeMs: 60_000 });
  expect((await refusalOf(strict({ ...ID, 'x-lc-sign': sign }))).message).toMatch(/timestamp/);
});

it.each([-60_000, 0, 60_000])('a signature %d ms from now is young enough for a minute', async (distance) => {
  const at = PUBLISHED.at + distance;
  const strict = authenticateWith({ signMaxAgeMs: 60_000 });
  await expect(strict({ ...ID, 'x-lc-sign': `${md5(`${at}${APP.key}`)},${at}` })).resolves.toMatchObject({ app: APP });
});
