import { redisHarness } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
beforeAll(async () => {
  ingress = await openIngress(harness);
});

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const TOO_DEEP = errorBody(107, /nests too deep: at most 32 levels/);

test.each([
  ['POST', '/1.1/installations', `{"deviceType":"android","deep":${nested(4114)}}`],
  ['PUT', '/1.1/installations/anything', `{"deep":${nested(32)}}`],
  ['POST', '/1.1/push', `{"data":{"alert":"a","x":${nested(1500)}}}`],
  ['POST', '/1.1/push/devices', `{"data":{"alert":"a","x":${nested(30_000)}}}`],
])('%s %s with a body that nests too deep is refused before it is parsed', async (method, path, body) => {
  const reply = await ingress.asMaster(method, path, { body });
  expect(reply).toMatchObject({ status: 400, body: TOO_DEEP });
});

test('twenty megabytes of brackets are refused at once, and hold nothing', async () => {
  const body = '['.repeat(20 * 1024 * 1024);
  const before = process.memoryUsage().heapUsed;
  const reply = await ingress.asMaster('POST', '/1.1/batch', { body });
  expect(reply).toMatchObject({ status: 400, body: errorBody(107, /at most 36 levels/) });
  // The body itself is there as bytes and as text; parsing it took five hundred megabytes more.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024);
});

test('a deep condition is refused as one, however it is brought', async () => {
  const where = encodeURIComponent(`{"a":${nested(100)}}`);
  const deep = errorBody(102, /where: nested too deeply/);
  expect(await ingress.asMaster('GET', `/1.1/installations?where=${where}`)).toMatchObject({ status: 400, body: deep });
  const requests = [{ method: 'GET', path: '/1.1/installations', params: { where: `{"a":${nested(5000)}}` } }];
  const reply = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
  expect(reply).toMatchObject({ status: 200, body: [{ error: deep }] });
  const pvalues = encodeURIComponent(nested(100));
  const cql = encodeURIComponent('select * from _Installation where a = ?');
  const asked = await ingress.asMaster('GET', `/1.1/cloudQuery?cql=${cql}&pvalues=${pvalues}`);
  expect(asked).toMatchObject({ status: 400, body: errorBody(300, /pvalues: nested too deeply/) });
});

test('what is as deep as it may be is taken, by itself and in a batch', async () => {
  const body = `{"deviceType":"android","deep":${nested(31)}}`;
  const alone = await ingress.call('POST', '/1.1/installations', { body });
  expect(alone.status).toBe(201);
  const batch = `{"requests":[{"method":"POST","path":"/1.1/installations","body":${body}}]}`;
  const reply = await ingress.asMaster('POST', '/1.1/batch', { body: batch });
  expect(reply).toMatchObject({ status: 200, body: [{ success: { objectId: expect.any(String) as string } }] });
});
