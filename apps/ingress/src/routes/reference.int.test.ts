import { expectReferencePage } from '@pushfleet/http-edge/testing';
import { type OpenApiOperation } from '@pushfleet/http-edge';
import { redisHarness } from '@pushfleet/testing';
import { type IngressRoute } from '../app';
import { openIngress, PUBLIC_URL, type Ingress } from '../testing/ingress-harness';

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation & Secured>>>>;
}

type Secured = Required<Pick<OpenApiOperation, 'security'>>;

const MASTER = ['masterKey', 'masterSign'];

function schemesOf(right: IngressRoute['right']): readonly string[] {
  if (right === 'none' || right === 'path') return [];
  return right === 'master-key' ? MASTER : ['appKey', 'appSign', ...MASTER];
}

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness, { publicUrl: PUBLIC_URL });
});

const readDocument = async (): Promise<Document> =>
  (await (await fetch(`${ingress.url}/openapi.json`)).json()) as Document;

const routesIn = ({ paths }: Document): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );

describe('200', () => {
  it('anybody may read the document, also a page of another origin', async () => {
    const response = await fetch(`${ingress.url}/openapi.json`, { headers: { origin: 'https://example.com' } });
    expect(response.headers.get('content-type')).toBe('application/json;charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: PUBLIC_URL }] });
  });

  it('the document tells of every route, and of no other', async () => {
    expect([...routesIn(await readDocument())].sort()).toEqual([...ingress.routes].sort());
    expect(ingress.routes.length).toBeGreaterThan(25);
  });

  it('the document asks for the keys that the route asks for', async () => {
    const { paths } = await readDocument();
    for (const [route, right] of ingress.rights) {
      const [method = '', path = ''] = route.split(' ');
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const schemes = operation?.security.map((names) => Object.keys(names).filter((name) => name !== 'app'));
      expect([route, schemes?.flat()]).toEqual([route, schemesOf(right)]);
      if (typeof right === 'object' && !right.unless) expect(operation?.description).toContain(right.openedBy);
    }
  });

  it('the page shows the document with a call of each operation, and needs nothing from elsewhere', async () => {
    await expectReferencePage(ingress.url);
    const headers = { 'accept-encoding': 'br' };
    const script = await fetch(`${ingress.url}/docs/swagger-ui-bundle.js`, { headers });
    expect(script.headers.get('content-encoding')).toBe('br');
    const shown = (await (await fetch(`${ingress.url}/docs/openapi.json`)).json()) as Document;
    expect(routesIn(shown)).toEqual(routesIn(await readDocument()));
    const { description } = shown.paths['/1.1/push']?.['post'] ?? {};
    expect(description).toContain(`curl -X POST '${PUBLIC_URL}/1.1/push' \\\n  -H 'X-LC-Id: APP_ID'`);
  });
});

it('302: whoever has nothing but the host is led to the page', async () => {
  const answer = await fetch(`${ingress.url}/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs']);
});
