import { DocumentedAnswers, until, type AnswersDocument } from '@pushfleet/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { createOldApp } from './devices';
import { Fleet, type DemoApp } from './fleet';
import { replay, type RecordedAnswer } from './testing/recorded-request';

/** App, key and signature of the recordings of the Java SDKs. */
const APP_ID = 'testappid0123-gzGzoHsz';
const SIGN = 'e9d2575c62f6b1f1a902d75396deeb2b,1795253798559';
const INSTALLATION_ID = 'df0b458c6424abb603adfbe8fd37495e';

const JSON_8 = 'Content-Type: application/json; charset=UTF-8';
const SIGNED = [`X-LC-Id: ${APP_ID}`, `X-LC-Sign: ${SIGN}`];

/** Headers as each SDK sends them. */
const CLIENTS = {
  'Java SDK 8.2.28': ['X-LC-Session: ', 'X-LC-Prod: 1', ...SIGNED, 'Accept: application/json', JSON_8].concat(
    'Accept-Encoding: gzip',
    'User-Agent: LeanCloud-Java-SDK/8.2.28',
  ),
  'push lite 6.0.0': [...SIGNED, JSON_8, 'Accept-Encoding: gzip', 'User-Agent: LeanCloud Push(lite) SDK v6.0.0'],
  'Android SDK 4.x': [
    ...SIGNED,
    ...['X-LC-Prod: 1', 'X-LC-Session: ', 'User-Agent: AVOS Cloud android-v4.7.10 SDK'],
    ...['Content-Type: application/json; charset=utf-8', 'Accept-Encoding: gzip'],
  ],
} as const;
type Client = keyof typeof CLIENTS;

let fleet: Fleet;
let app: DemoApp;
let documented: DocumentedAnswers<ValidateFunction>;

beforeAll(async () => {
  fleet = await Fleet.start(['hms', 'own']);
  const masterKey = 'master-key-of-the-recordings';
  app = await createOldApp(fleet, { id: APP_ID, key: 'testkey', masterKey, hybrid: false });
  const reference = await fetch(`${fleet.url('ingress')}/openapi.json`);
  const checker = new Ajv2020({ strict: false, validateFormats: false });
  documented = new DocumentedAnswers((await reference.json()) as AnswersDocument, checker);
});

afterAll(() => fleet.stop());

/** Sends a call of a client, and checks what any of them relies on. */
async function call(client: Client, line: string, body?: string): Promise<RecordedAnswer> {
  const answer = await replay(fleet.url('ingress'), {
    ...{ line, headers: CLIENTS[client] },
    ...(body === undefined ? {} : { body }),
  });
  const [method = '', target = ''] = line.split(' ');
  documented.expect({ method, path: target.split('?')[0] ?? '', status: answer.status, body: answer.body });
  expect(answer.headers['content-type']).toBe('application/json;charset=utf-8');
  if (answer.status < 300) expectReadable(answer.body);
  return answer;
}

/** Null, and these keys, make the Java clients fail or read something else. */
function expectReadable(body: Readonly<Record<string, unknown>>): void {
  expect(JSON.stringify(body)).not.toContain('null');
  for (const key of ['error', 'className', '_version', 'serverData']) expect(body).not.toHaveProperty(key);
}

const idOf = ({ body }: RecordedAnswer): string => String(body['objectId']);
const read = async (objectId: string) => (await call('Java SDK 8.2.28', `GET /1.1/installations/${objectId}`)).body;

describe('the Java SDK saves its whole document every time', () => {
  const FIRST = `{"deviceType":"android","timeZone":"Etc/UTC","installationId":"${INSTALLATION_ID}"}`;
  const save = (objectId: string, fields: string) =>
    call(
      'Java SDK 8.2.28',
      `PUT /1.1/installations/${objectId}?fetchWhenSave=true`,
      `{"deviceType":"android","timeZone":"Etc/UTC","installationId":"${INSTALLATION_ID}"${fields}}`,
    );

  test('two first saves in flight at once make one installation, and the steps after them change it', async () => {
    const post = (body: string) => call('Java SDK 8.2.28', 'POST /1.1/installations?fetchWhenSave=true', body);
    const [first, second] = await Promise.all([post(FIRST), post(FIRST.replace('}', ',"channels":["news"]}'))]);
    expect([first.status, second.status, idOf(first)]).toEqual([201, 201, idOf(second)]);
    const objectId = idOf(first);
    expect(first.headers['location']).toMatch(new RegExp(`/1.1/installations/${objectId}$`));
    expect(first.body).toMatchObject({ installationId: INSTALLATION_ID, createdAt: expect.any(String), valid: true });

    const steps: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      [',"channels":["news"]', { channels: ['news'] }],
      [',"channels":["news","sports"]', { channels: ['news', 'sports'] }],
      [
        ',"channels":["news","sports"],"vendor":"HMS","registrationId":"tok1"',
        { vendor: 'HMS', registrationId: 'tok1' },
      ],
      [
        ',"channels":["news","sports"],"vendor":"HMS","registrationId":"tok1","deviceProfile":"p1"',
        { deviceProfile: 'p1' },
      ],
      [',"channels":["sports"],"vendor":"HMS","registrationId":"tok1","deviceProfile":"p1"', { channels: ['sports'] }],
      [
        ',"channels":["sports"],"vendor":"lc","registrationId":"tok1","deviceProfile":"p1"',
        { vendor: 'lc', registrationId: 'tok1', deviceProfile: 'p1' },
      ],
    ];
    for (const [fields, expected] of steps) {
      const answer = await save(objectId, fields);
      expect(answer).toMatchObject({ status: 200, body: { objectId, ...expected } });
    }
    // A key that the client removed stays: what it does not know would be lost otherwise.
    expect((await save(objectId, '')).body).toMatchObject({ vendor: 'lc' });
  });

  test('a save that changes nothing is a sign of life', async () => {
    const first = await save('unknown', '');
    await until(() => Date.now() > Date.parse(String(first.body['updatedAt'])));
    const again = await save(idOf(first), '');
    expect(Date.parse(String(again.body['updatedAt']))).toBeGreaterThan(Date.parse(String(first.body['updatedAt'])));
  });

  test('what it was told once comes back with every save, and harms nothing', async () => {
    const answer = await save('unknown', ',"valid":true,"badge":0,"className":"_Installation","_version":5');
    expect(answer).toMatchObject({ status: 200, body: { valid: true } });
  });

  test('an objectId of the service that it was moved from is replaced, never missing', async () => {
    const known = await save('unknown', '');
    const moved = await save('5f3c1a2b3c4d5e6f70818283', ',"channels":["moved"]');
    expect(moved).toMatchObject({ status: 200, body: { objectId: idOf(known), channels: ['moved'] } });
  });

  test('it refreshes, and asks to be deleted with a body', async () => {
    const { body } = await save('unknown', '');
    const objectId = String(body['objectId']);
    expect(await call('Java SDK 8.2.28', `GET /1.1/installations/${objectId}?include=x`)).toMatchObject({
      status: 200,
      body: { objectId },
    });
    expect(await call('Java SDK 8.2.28', `DELETE /1.1/installations/${objectId}`, '{}')).toMatchObject({
      status: 403,
      body: { code: 119 },
    });
  });

  test('it pushes with the time of now beside an interval', async () => {
    const now = new Date().toISOString();
    const push = `{"data":{"alert":"hi"},"channels":["sports"],"prod":"prod","push_time":"${now}","expiration_interval":60}`;
    const answer = await call('Java SDK 8.2.28', 'POST /1.1/push', push);
    expect(answer.status).toBe(200);
    expect(await fleet.done(app, idOf(answer))).toMatchObject({ status: 'done' });
  });
});

test('push lite posts every save, with its objectId and deletions in it', async () => {
  const line = 'POST /1.1/installations?fetchWhenSave=false';
  const first = await call(
    'push lite 6.0.0',
    line,
    '{"deviceType":"android","installationId":"lite-1","channels":["a"]}',
  );
  const objectId = idOf(first);
  expect(Object.keys(first.body).sort()).toEqual(['createdAt', 'objectId']);
  const body = `{"objectId":"${objectId}","deviceType":"android","installationId":"lite-1","channels":["b"],"vendor":{"__op":"Delete"}}`;
  expect(idOf(await call('push lite 6.0.0', line.replace('false', 'true'), body))).toBe(objectId);
  expect(await read(objectId)).toMatchObject({ channels: ['b'] });
  const moved = `{"objectId":"ofAnotherService","installationId":"lite-1","deviceType":"android"}`;
  expect(idOf(await call('push lite 6.0.0', line, moved))).toBe(objectId);
});

test('4.x saves in a batch of its own, answered under its internal ids', async () => {
  const element = (id: string, more: string) =>
    `{"requests":[{"method":"POST","path":"/1.1/installations","body":{"deviceType":"android","installationId":"old-1",${more}"__children":[],"__internalId":"${id}"}${more === '' ? ',"new":true' : ''}}]}`;
  const uuid = '0d7f9bfa-7f0f-4d9e-bd2e-0b3a9a3a4a10';
  const first = await call('Android SDK 4.x', 'POST /1.1/batch/save', element(uuid, ''));
  const made = first.body[uuid] as Record<string, string>;
  expect(first.status).toBe(200);
  expect(made['createdAt']).toEqual(expect.any(String));
  const objectId = made['objectId'] ?? '';
  const later = element(objectId, `"objectId":"${objectId}","channels":["a"],"vendor":{"__op":"Delete"},`);
  expect(await call('Android SDK 4.x', 'POST /1.1/batch/save', later)).toMatchObject({
    status: 200,
    body: { [objectId]: { objectId } },
  });
  expect(await read(objectId)).toMatchObject({ channels: ['a'] });
});

test('leancloud-installation sends what changed alone, also in a first save', async () => {
  const first = await call(
    'Java SDK 8.2.28',
    'POST /1.1/installations',
    '{"deviceType":"android","vendor":{"__op":"Delete"},"n":{"__op":"Increment","amount":2},"channels":["a"]}',
  );
  const objectId = idOf(first);
  const put = (body: string) => call('Java SDK 8.2.28', `PUT /1.1/installations/${objectId}`, body);
  await put('{"channels":{"__op":"AddUnique","objects":["b"]}}');
  await put('{"channels":{"__op":"Remove","objects":["a"]}}');
  await put('{"vendor":{"__op":"Delete"}}');
  expect(await read(objectId)).toMatchObject({ channels: ['b'], n: 2 });
});

test('a signature that the closed library of initializeSecurely makes is refused by name', async () => {
  const headers = [`X-LC-Id: ${APP_ID}`, `X-LC-Sign: ${SIGN},ax-sig-1`, JSON_8];
  const answer = await replay(fleet.url('ingress'), { line: 'GET /1.1/installations/x', headers });
  expect(answer).toMatchObject({ status: 401, body: { code: 401, error: expect.stringContaining('ax-sig-1') } });
});
