import { unique, redisHarness } from '@pushfleet/testing';
import { openIngress, type Ingress } from './testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

/** The answer as text: a test that parsed it would lose the digits itself. */
async function send(method: string, path: string, body?: string): Promise<string> {
  const { app, url } = ingress;
  const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master`, 'content-type': 'application/json' };
  return (await fetch(`${url}/1.1${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).text();
}

const ID = '1234567890123456789';
const NEIGHBOUR = '1234567890123456788';

const register = async (fields: string): Promise<string> => {
  const body = `{"deviceType":"android","installationId":"${unique('i')}",${fields}}`;
  return /"objectId":"(\w+)"/.exec(await send('POST', '/installations', body))?.[1] ?? '';
};

const find = (where: string): Promise<string> => send('GET', `/installations?where=${encodeURIComponent(where)}`);

it('a column keeps every digit, read by id, by find, by cql and in a batch', async () => {
  const objectId = await register(`"userId":${ID}`);
  const expected = expect.stringContaining(`"userId":${ID}`);
  expect(await send('GET', `/installations/${objectId}`)).toEqual(expected);
  expect(await find(`{"objectId":"${objectId}"}`)).toEqual(expected);
  const cql = `select * from _Installation where objectId = '${objectId}'`;
  expect(await send('GET', `/cloudQuery?cql=${encodeURIComponent(cql)}`)).toEqual(expected);
  const batch = `{"requests":[{"method":"GET","path":"/1.1/installations/${objectId}"}]}`;
  expect(await send('POST', '/batch', batch)).toEqual(expected);
});

it('a condition tells two neighbours apart that a double takes for one', async () => {
  const [one, two] = [await register(`"owner":${ID},"tags":[${ID}]`), await register(`"owner":${NEIGHBOUR}`)];
  const idsOf = (text: string): readonly string[] => [one, two].filter((id) => text.includes(`"objectId":"${id}"`));
  expect(idsOf(await find(`{"owner":${ID}}`))).toEqual([one]);
  expect(idsOf(await find(`{"owner":{"$in":[${NEIGHBOUR}]}}`))).toEqual([two]);
  expect(idsOf(await find(`{"owner":{"$ne":${ID}},"deviceType":"android"}`))).toContain(two);
  expect(idsOf(await find(`{"owner":{"$gt":${NEIGHBOUR}}}`))).toEqual([one]);
  expect(idsOf(await find(`{"owner":{"$lt":${ID},"$gt":5}}`))).toEqual([two]);
  expect(idsOf(await find(`{"tags":{"$all":[${ID}]}}`))).toEqual([one]);
  const cql = `select * from _Installation where owner = ${NEIGHBOUR}`;
  expect(idsOf(await send('GET', `/cloudQuery?cql=${encodeURIComponent(cql)}`))).toEqual([two]);
});

it.each(['1.23456789012345677E18', '1e20', '9007199254740994.0'])(
  'a column that was saved as %s is found by the same number',
  async (number) => {
    const objectId = await register(`"owner":${number},"tags":[${number}]`);
    const wheres = [`"owner":${number}`, `"owner":{"$in":[${number}]}`, `"tags":{"$all":[${number}]}`];
    for (const where of wheres)
      expect(await find(`{"objectId":"${objectId}",${where}}`)).toContain(`"objectId":"${objectId}"`);
    await send('PUT', `/installations/${objectId}`, `{"tags":{"__op":"AddUnique","objects":[${number}]}}`);
    expect(await send('GET', `/installations/${objectId}`)).toMatch(/"tags":\[\d+\]/);
  },
);

it('a counter that grows past what a double holds stays exact', async () => {
  const objectId = await register('"count":9007199254740991');
  await send('PUT', `/installations/${objectId}`, '{"count":{"__op":"Increment","amount":2}}');
  expect(await send('GET', `/installations/${objectId}`)).toContain('"count":9007199254740993');
});

it('the record of a push shows its condition with every digit', async () => {
  const answer = await send('POST', '/push', `{"where":{"userId":${ID}},"data":{"alert":"A","order":${ID}}}`);
  const pushId = /"objectId":"(\w+)"/.exec(answer)?.[1] ?? '';
  expect(await send('GET', `/notifications/${pushId}`)).toContain(ID);
});

it('a push for the last moment that a date can name is shown like others', async () => {
  const answer = await send('POST', '/push', '{"data":{"alert":"A"},"push_time":8640000000000000}');
  const pushId = /"objectId":"(\w+)"/.exec(answer)?.[1] ?? '';
  const expiresAt = '"expiresAt":"+275760-09-13T00:00:00.000Z"';
  expect(await send('GET', `/notifications/${pushId}`)).toContain(expiresAt);
  expect(await send('GET', '/notifications')).toContain(expiresAt);
});

it('pushes in a batch keep every digit of their conditions, and their sections are refused by the path', async () => {
  const push = (fields: string): string =>
    `{"method":"POST","path":"/1.1/push","body":{"data":{"alert":"A"},${fields}}}`;
  const elements = [push(`"where":{"userId":${ID}}`), push(`"hms":{"android":{"notification":{"notify_id":${ID}}}}`)];
  const answer = await send('POST', '/batch', `{"requests":[${elements.join(',')}]}`);
  const pushId = /"objectId":"(\w+)"/.exec(answer)?.[1] ?? '';
  expect(await send('GET', `/notifications/${pushId}`)).toContain(`"userId":${ID}`);
  expect(answer).toContain(`hms.android.notification.notify_id: no field of the vendor holds ${ID}`);
});

it('an integer with more digits than the limit is refused with the limit', async () => {
  const answer = await send('POST', '/installations', `{"deviceType":"android","userId":${'9'.repeat(65)}}`);
  expect(answer).toContain('64 digits');
});

it('a number that no double holds is refused, for it would be read back as null', async () => {
  const refused = expect.stringMatching(/"code":107,.*1\.8e308/);
  expect(await send('POST', '/installations?new=true', '{"deviceType":"android","count":1e999}')).toEqual(refused);
  expect(await send('POST', '/push', '{"data":{"alert":"A","order":-1e999}}')).toEqual(refused);
});
