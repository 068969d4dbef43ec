import { channels } from '@pushfleet/channels';
import { type OpenApiOperation, type OpenApiParameter } from '@pushfleet/http-edge';
import { aPushRequest, redisHarness, unique } from '@pushfleet/testing';
import { answerPreflights } from '../testing/answer-preflights';
import { fieldsOf, openIngress, PUBLIC_URL, type Ingress } from '../testing/ingress-harness';
import { openApiDocument } from './document';

const { paths } = openApiDocument(channels, PUBLIC_URL);
interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

const operations: readonly (readonly [line: string, Described])[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, { path, method, operation }] as const),
);

const harness = redisHarness();
const receiptKey = unique('receipt');
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness, { publicUrl: PUBLIC_URL });
  await ingress.store.profiles.put(
    { app: ingress.app.id, channel: 'hms', profile: '_default' },
    { value: { appId: '1', appSecret: 'secret' }, receiptKey },
  );
  await answerPreflights(harness);
  const urls = ['wss://push.example.com/a'];
  await ingress.store.gateways.beat({ id: unique('gateway'), urls, isDraining: false });
});

/** The values of a path's names: of what exists, or of nothing where the operation takes that. */
async function placesOf(path: string): Promise<Readonly<Record<string, string>>> {
  if (path.startsWith('/push/')) {
    return { channel: 'hms', appId: ingress.app.id, profile: '_default', key: receiptKey };
  }
  if (path.includes('preflight')) return { id: await answeredPreflight() };
  if (path.startsWith('/1.2/rtm/')) return { id: 'c1', clientId: 'Tom', installationId: unique('device') };
  if (path.endsWith('/devices') && path.includes('notifications')) return { id: await aPush() };
  if (!path.includes('nstallation')) return { id: '1', file: 'start.js' };
  const body = { deviceType: 'android', installationId: unique('device') };
  const { objectId = '' } = fieldsOf(await ingress.call('POST', '/1.1/installations', { body }));
  return { id: objectId };
}

async function aPush(): Promise<string> {
  const { objectId = '' } = fieldsOf(await ingress.call('POST', '/1.1/push', { body: aPushRequest() }));
  return objectId;
}

async function answeredPreflight(): Promise<string> {
  const id = '0'.repeat(32);
  const frame = { app: ingress.app.id, fates: {}, warnings: [], pushTime: 0 };
  const counts = { counts: [], isDirect: true };
  await ingress.store.preflights.tell(id, { kind: 'counted', app: ingress.app.id, counts, frame }, 60_000);
  return id;
}

const exampleOf = (parameter: OpenApiParameter): readonly [string, string][] => {
  const { name, example } = parameter as OpenApiParameter & { readonly example?: string };
  return parameter.in === 'query' && example !== undefined ? [[name, example]] : [];
};

/** A condition on a change is one that holds, or there would be no change. */
const queryOf = ({ parameters = [] }: OpenApiOperation, method: string): string => {
  const asked = parameters.filter(({ name }) => method === 'get' || name !== 'where');
  const query = new URLSearchParams(asked.flatMap(exampleOf));
  return query.size === 0 ? '' : `?${query}`;
};

const bodiesOf = ({ requestBody }: OpenApiOperation) =>
  Object.entries(requestBody?.content ?? { none: { schema: {}, example: undefined } });

const written = (type: string, example: unknown): unknown =>
  type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(example as Record<string, string>).toString()
    : example;

test.each(operations)('%s takes its examples', async (_, { path, method, operation }) => {
  const places = await placesOf(path);
  const place = path.replace(/\{(\w+)\}/g, (__, name: string) => places[name] ?? '');
  const success = Object.keys(operation.responses).filter((status) => /^[23]/.test(status));
  for (const [type, { example }] of bodiesOf(operation)) {
    const headers: Record<string, string> = type === 'none' ? {} : { 'content-type': type };
    const call = { headers, ...(example === undefined ? {} : { body: written(type, example) }) };
    const reply = await ingress.asMaster(method.toUpperCase(), place + queryOf(operation, method), call);
    expect([String(reply.status), reply.body]).toEqual([success[0], expect.anything()]);
  }
});

test('what a push may say is taken, and refused where the reference says so', async () => {
  const refused = [{ data: { badge: 1 } }, { where: [] }, { channels: 'a b' }, { expiration_interval: '0' }];
  for (const fields of refused) {
    const reply = await ingress.asMaster('POST', '/1.1/push', { body: { data: { alert: 'a' }, ...fields } });
    expect([fields, reply.status]).toEqual([fields, 400]);
  }
  const taken = [{ expiration_interval: 0.001 }, { push_time: '2026-11-28T23:59' }, { data: {}, fcm: { title: 't' } }];
  for (const fields of taken) {
    const reply = await ingress.asMaster('POST', '/1.1/push', { body: { data: { alert: 'a' }, ...fields } });
    expect([fields, reply.status]).toEqual([fields, 200]);
  }
});
