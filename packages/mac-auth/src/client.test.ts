import { openMacClient, type MacClientOptions } from './client';
import { parseMacHeader } from './parse-header';
import { signRequest } from './sign';

const token = { access_token: '1/token', mac_key: 'mSUQNYUGRBPXyRyW', mac_algorithm: 'hmac-sha-1' };
const URL_TEXT = 'https://tds-tapsdk.cn.tapapis.com/api/v1/user/info?client_id=0RiAlMny7jiz086FaU';
const NOW_MS = 1_618_221_750_000;

type Reply = readonly [status: number, body: unknown];

/** A service that answers from a list, the last answer for ever. */
function service(replies: readonly Reply[], options: Partial<MacClientOptions> = {}) {
  const sent: { url: string; authorization: string; redirect: string | undefined }[] = [];
  const waits: number[] = [];
  const client = openMacClient({
    token,
    now: () => NOW_MS,
    nonce: () => 'adssd',
    delay: async (ms) => waits.push(ms),
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      sent.push({ url: String(url), authorization: headers.get('authorization') ?? '', redirect: init?.redirect });
      const [status, body] = replies[Math.min(sent.length, replies.length) - 1] ?? [500, ''];
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
    },
    ...options,
  });
  return { sent, waits, get: (url = URL_TEXT) => client.get(url) };
}

const USER: Reply = [200, { success: true, data: { user_id: 'u' }, user_id: 'u', now: NOW_MS / 1000 }];
const invalidTime = (now: number): Reply => [400, { success: false, error: 'invalid_time', now }];

it('signs as the vendor’s sample does', async () => {
  const { get, sent } = service([USER]);
  expect(await get()).toEqual({ status: 200, body: USER[1] });
  expect(sent).toEqual([
    {
      url: URL_TEXT,
      authorization: 'MAC id="1/token",ts="1618221750",nonce="adssd",mac="XWTPmq6A6LzgK8BbNDwj+kE4gzs="',
      redirect: 'error',
    },
  ]);
});

it('signs the port that the address names', async () => {
  const { get, sent } = service([USER]);
  await get('http://127.0.0.1:8080/api/v1/user/info?client_id=0RiAlMny7jiz086FaU');
  expect(parseMacHeader(sent[0]?.authorization).mac).toBe('BQECzVQN0zc1nAcuhgyMAVbzQ6c=');
});

it('uses a fresh nonce for every request unless told otherwise', async () => {
  let authorizations: string[] = [];
  const client = openMacClient({
    token,
    fetch: async (_url, init) => {
      authorizations = [...authorizations, new Headers(init?.headers).get('authorization') ?? ''];
      return new Response('{}');
    },
  });
  await client.get(URL_TEXT);
  await client.get(URL_TEXT);
  const [first, second] = authorizations.map((value) => parseMacHeader(value).nonce);
  expect(first).not.toBe(second);
});

describe('a clock that is wrong', () => {
  it('is set by the server’s time, at once and for good', async () => {
    const { get, sent, waits } = service([invalidTime(1_700_000_000), USER]);
    expect((await get()).status).toBe(200);
    await get();
    expect(sent.map(({ authorization }) => parseMacHeader(authorization).ts)).toEqual([
      ...['1618221750', '1700000000', '1700000000'],
    ]);
    expect(waits).toEqual([]);
    const { mac } = parseMacHeader(sent[1]?.authorization);
    const secret = { macKey: token.mac_key, macAlgorithm: 'hmac-sha-1' } as const;
    const signed = {
      ...{ ts: '1700000000', nonce: 'adssd', method: 'GET', host: 'tds-tapsdk.cn.tapapis.com', port: 443 },
      uri: '/api/v1/user/info?client_id=0RiAlMny7jiz086FaU',
    };
    expect(mac).toBe(signRequest(signed, secret));
  });

  it('is set once per call', async () => {
    const { get, sent } = service([invalidTime(1_700_000_000)]);
    expect(await get()).toMatchObject({ status: 400, body: { error: 'invalid_time' } });
    expect(sent).toHaveLength(2);
  });

  it('is set by an error inside the envelope as well', async () => {
    const { get, sent } = service([
      [400, { success: false, data: { error: 'invalid_time' }, now: 1_700_000_000 }],
      USER,
    ]);
    expect((await get()).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it.each([0, undefined])('is left alone when the server says %p', async (now) => {
    const { get, sent } = service([[400, { error: 'invalid_time', now }]]);
    expect((await get()).status).toBe(400);
    expect(sent).toHaveLength(1);
  });
});

describe('an error of the server', () => {
  it.each([
    ['server_error', [500, { error: 'server_error' }]],
    ['server_error with another status', [200, { error: 'server_error' }]],
    ['a gateway’s page', [502, '<html>']],
  ] as const)('%s is tried three times, with longer and longer waits', async (_name, reply) => {
    const { get, sent, waits } = service([reply]);
    expect((await get()).status).toBe(reply[0]);
    expect(sent).toHaveLength(3);
    expect(waits).toEqual([500, 1000]);
  });

  it('and a wrong clock together make no more than three requests', async () => {
    const { get, sent } = service([[503, {}], invalidTime(1_700_000_000), [503, {}], USER]);
    expect((await get()).status).toBe(503);
    expect(sent).toHaveLength(3);
  });
});

it.each([
  [401, 'access_denied'],
  [401, 'invalid_client'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [429, 'slow_down'],
])('%d %s is not repeated', async (status, error) => {
  const { get, sent } = service([[status, { error }]]);
  expect(await get()).toEqual({ status, body: { error } });
  expect(sent).toHaveLength(1);
});

it('passes on what fetch throws', async () => {
  const fetchError = new TypeError('fetch failed');
  const { get } = service([], { fetch: () => Promise.reject(fetchError) });
  await expect(get()).rejects.toBe(fetchError);
});

it('refuses a token of an unknown algorithm', () => {
  expect(() => openMacClient({ token: { ...token, mac_algorithm: 'md5' } })).toThrow(TypeError);
});
