import { redisHarness } from '@pushfleet/testing';
import { openIngress, PUBLIC_URL, type Ingress } from '../testing/ingress-harness';

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
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
