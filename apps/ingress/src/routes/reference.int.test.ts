import { type OpenApiOperation } from '@pushfleet/service-kit';
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

  it('the page tells of every operation and needs nothing from elsewhere', async () => {
    const response = await fetch(`${ingress.url}/docs`);
    expect(response.headers.get('content-type')).toBe('text/html;charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const html = await response.text();
    const ids = Object.values((await readDocument()).paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    for (const id of ids) expect(html).toContain(`<section id="${id}">`);
    expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  });
});
