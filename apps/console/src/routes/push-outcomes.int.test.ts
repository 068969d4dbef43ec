import { OtherAnswer, startPushApi, unique, type PushApi } from '@pushfleet/testing';
import { openPushApi } from '../push-api';
import { CSV_HEAD } from '../outcome-csv';
import { ADMIN_TOKEN, consoleHarness } from '../testing/console-harness';

let api: PushApi;
/** Runs while a page is read. */
let meanwhile = (): Promise<void> => Promise.resolve();
const admin = consoleHarness({
  ports: {
    pushApi: {
      async ask(app, call) {
        await meanwhile();
        return openPushApi(api.url).ask(app, call);
      },
    },
  },
});

const row = (i: number) => ({ objectId: `o${i}`, channel: 'mi', outcome: 'accepted' });
const lineOf = (i: number) => `o${i},,,,,mi,accepted,,,,,\n`;
const page = (results: readonly object[], cursor: string | null, complete = true) => ({ results, cursor, complete });

let id: string;

beforeAll(async () => {
  const { body } = await admin.call('POST', '/apps', { name: 'Shop', edition: 'commercial' });
  id = String(body['id']);
});
beforeEach(async () => (api = await startPushApi()));
afterEach(() => api.stop());

async function download(query = '', by: string = ADMIN_TOKEN): Promise<Response> {
  const headers = { authorization: `Bearer ${by}` };
  return fetch(`${admin.url}/api/v1/apps/${id}/pushes/p1/outcomes${query}`, { headers });
}

const line = (query: string): string => `GET /notifications/p1/devices?${query}`;

it('200: a table of every device, page behind page', async () => {
  api.answers[line('limit=1000')] = [page([row(1), row(2)], 'c1')];
  api.answers[line('limit=1000&cursor=c1')] = [page([], 'c2')];
  api.answers[line('limit=1000&cursor=c2')] = [page([row(3)], null)];
  const answer = await download();
  expect(answer.headers.get('content-type')).toContain('text/csv');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="push-p1.csv"');
  expect(await answer.text()).toBe(CSV_HEAD + [1, 2, 3].map(lineOf).join(''));
});

it('200: of some of them, as the push API understands it', async () => {
  api.answers[line('outcome=failed&reason=unreachable&channel=mi&limit=1000')] = [page([row(1)], null)];
  expect(await (await download('?outcome=failed&reason=unreachable&channel=mi')).text()).toBe(CSV_HEAD + lineOf(1));
});

it('200: says where these are not all, and where it was cut off', async () => {
  api.answers[line('limit=1000')] = [page([row(1)], null, false)];
  expect(await (await download()).text()).toMatch(/^objectId.*\no1.*\n# these are not all devices/);
  api.answers[line('limit=1000')] = [page([row(1)], 'c1')];
  api.answers[line('limit=1000&cursor=c1')] = [new OtherAnswer(503, '{"code":503,"error":"Redis is away"}')];
  expect(await (await download()).text()).toMatch(
    /^objectId.*\no1.*\n# cut off, goes on with cursor=c1: .*Redis is away/,
  );
});

it('200: goes on where it was cut off, without a second head', async () => {
  api.answers[line('outcome=accepted&limit=1000&cursor=c1')] = [page([row(2)], 'c2')];
  api.answers[line('outcome=accepted&limit=1000&cursor=c2')] = [page([row(3)], null)];
  expect(await (await download('?outcome=accepted&cursor=c1')).text()).toBe(lineOf(2) + lineOf(3));
});

it('200: tells no more to a caller who lost the right to it since', async () => {
  const { body } = await admin.call('POST', '/api-tokens', { name: unique('t'), role: 'viewer', apps: 'all', days: 1 });
  api.answers[line('limit=1000')] = [page([row(1)], 'c1')];
  api.answers[line('limit=1000&cursor=c1')] = [page([row(2)], null)];
  meanwhile = async () => void (await admin.call('DELETE', `/api-tokens/${String(body['id'])}`));
  const text = await (await download('', String(body['token']))).text();
  meanwhile = () => Promise.resolve();
  expect(text).toMatch(/^objectId.*\no1.*\n# cut off, .*the token is not right.*\n$/);
});

it.each<[number, string]>([
  [400, '?limit=5'],
  [400, '?outcome='],
  [400, '?cursor=a%20b'],
  [404, ''],
])('%i for "%s", before anything is told', async (status, query) => {
  api.otherwise = () => new OtherAnswer(404, '{"code":101,"error":"The app has no push of this id"}');
  expect((await download(query)).status).toBe(status);
});
