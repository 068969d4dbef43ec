import { expectReferencePage, operationsOf } from '@pushfleet/http-edge/testing';
import { consoleHarness } from '../testing/console-harness';
import { openApiDocument } from './document';

const admin = consoleHarness();

const routeOf = (path: string, method: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;

it('anybody may read the document', async () => {
  const { status, headers, body } = await admin.raw('/api/v1/openapi.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json;charset=utf-8']);
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

it('the document tells of every route, of no other, and who may call it', () => {
  const told = operationsOf(openApiDocument()).map(([path, method, { security = [] }]) => [
    routeOf(path, method),
    security.length > 0 ? 'admin-token' : 'none',
  ]);
  const known = admin.routes.map(({ method, path, access }) => [`${method} ${path}`, access ? 'admin-token' : 'none']);
  expect(told.sort()).toEqual(known.sort());
  expect(known.length).toBeGreaterThan(30);
});

it('what it says to be open is open, and nothing else', async () => {
  for (const { method, path, access } of admin.routes) {
    const { status } = await fetch(admin.url + path, { method });
    expect([method, path, status === 401]).toEqual([method, path, access !== undefined]);
  }
});

it('the page needs nothing from elsewhere', () => expectReferencePage(admin.url));
