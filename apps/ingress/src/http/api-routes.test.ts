import { openRouteFinder, type ApiRoute } from './api-routes';

const route = (method: ApiRoute['method'], path: string): ApiRoute => ({
  ...{ method, path, right: 'app-key' },
  endpoint: { route: 'date', handle: async () => ({ status: 200, body: path }) },
});
const find = openRouteFinder([
  route('POST', '/1.1/push'),
  route('GET', '/1.1/things/:id'),
  route('GET', '/1.1/things'),
]);

it.each([
  ['POST', '/1.1/push', {}],
  ['POST', '/1.1/push/', {}],
  ['GET', '/1.1/things', {}],
  ['GET', '/1.1/things/a%2Cb', { id: 'a,b' }],
])('%s %s', (method, path, params) => {
  expect(find(method, path)?.params).toEqual(params);
});

it.each([
  '/1.1/installations/',
  '/1.1/Installations//',
  '/1.1/classes/_Installation/',
  '/1.1/things/',
  '/1.1/none/',
  '/1.1/',
])('GET %s lacks an id', (path) => {
  expect(() => find('GET', path)).toThrow(/without the id/);
});

it.each([
  ['GET', '/1.1/push'],
  ['get', '/1.1/things'],
])('%s %s has other methods', (method, path) => {
  expect(() => find(method, path)).toThrow(/method must be/);
});

it.each([
  ['POST', '/1.1/push/devices'],
  ['GET', '/1.1/things/a/b'],
  ['GET', ''],
])('%s %s is unknown', (method, path) => {
  expect(find(method, path)).toBeUndefined();
});
