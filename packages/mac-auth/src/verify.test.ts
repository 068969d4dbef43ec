import { MacRefusal } from './mac-refusal';
import { openPublicOrigins } from './public-origins';
import { signRequest, type MacAlgorithm } from './sign';
import vectors from './vectors.json';
import { verifyMac, type MacCredential, type NonceUse, type ReceivedRequest, type VerifyPorts } from './verify';

const NOW_S = 1_618_221_750;
const WINDOW_S = 300;
const secret = { macKey: 'mSUQNYUGRBPXyRyW', macAlgorithm: 'hmac-sha-1' } as const;
const signed = {
  ...{ ts: String(NOW_S), nonce: 'adssd', method: 'GET' },
  ...{ uri: '/api/v1/user/info?client_id=0RiAlMny7jiz086FaU', host: 'tds-tapsdk.cn.tapapis.com', port: 443 },
};
const request = (changes: Partial<typeof signed> = {}): ReceivedRequest => {
  const { ts, nonce, method, uri } = { ...signed, ...changes };
  const mac = signRequest({ ...signed, ...changes }, secret);
  return { header: { id: 'token', ts, nonce, mac }, method, uri };
};

type Ports = VerifyPorts<MacCredential, { isFirstUse: boolean; use: NonceUse }>;

const ports = (changes: Partial<Ports> = {}): Ports => ({
  now: () => NOW_S * 1000,
  windowMs: WINDOW_S * 1000,
  origins: openPublicOrigins(['https://tds-tapsdk.cn.tapapis.com']),
  find: async (id) => (id === 'token' ? { id: 'key-1', ...secret } : undefined),
  redeem: async (use) => ({ isFirstUse: true, use }),
  ...changes,
});

const outcomeOf = (received: ReceivedRequest, changes: Partial<Ports> = {}): Promise<string> =>
  verifyMac(received, ports(changes)).then(
    () => 'in',
    (error: MacRefusal) => error.code,
  );

it('lets a signed request in and names the nonce after the key, not after what the caller called it', async () => {
  const { use } = await verifyMac(request(), ports());
  expect(use).toEqual({ id: 'key-1', ts: String(NOW_S), nonce: 'adssd' });
});

describe('literal vectors', () => {
  const verifyVector = (vector: (typeof vectors.refused)[number]) => {
    const { ts, nonce, method, uri, mac, host, port, macKey, macAlgorithm } = vector;
    const scheme = port === 443 ? 'https' : 'http';
    const credential = { id: 'key', macKey, macAlgorithm: macAlgorithm as MacAlgorithm };
    return outcomeOf(
      { header: { id: 'any', ts, nonce, mac }, method, uri },
      {
        now: () => Number(ts) * 1000,
        origins: openPublicOrigins([`${scheme}://${host}:${port}`]),
        find: async () => credential,
      },
    );
  };

  it.each(vectors.requests.filter(({ ext }) => ext === undefined))('verifies $name', async (vector) => {
    expect(await verifyVector(vector)).toBe('in');
  });

  it.each(vectors.refused)('refuses $name', async (vector) => {
    expect(await verifyVector(vector)).toBe('access_denied');
  });
});

describe('time', () => {
  const early = String(NOW_S - WINDOW_S);
  const late = String(NOW_S + WINDOW_S);

  it.each([
    [early, 0, 'in'],
    [early, 999, 'in'],
    [early, 1000, 'invalid_time'],
    [late, 0, 'in'],
    [late, -1, 'invalid_time'],
    [late, 999, 'in'],
    ['0', 0, 'invalid_time'],
    ['999999999999999', 0, 'invalid_time'],
    [`0${NOW_S}`, 0, 'in'],
  ])('ts %s, %d ms past the second: %s', async (ts, ms, outcome) => {
    expect(await outcomeOf(request({ ts }), { now: () => NOW_S * 1000 + ms })).toBe(outcome);
  });

  it('is checked before anything is looked up', async () => {
    const find = () => Promise.reject(new Error('looked up'));
    expect(await outcomeOf(request({ ts: '1' }), { find })).toBe('invalid_time');
  });
});

describe('what is signed', () => {
  const port80 = openPublicOrigins(['http://tds-tapsdk.cn.tapapis.com:8081']);

  it.each([
    ['an altered mac', { ...request(), header: { ...request().header, mac: 'YWTPmq6A6LzgK8BbNDwj+kE4gzs=' } }],
    ['a mac of another length', { ...request(), header: { ...request().header, mac: 'XWTPmq6A6LzgK8BbNDwj' } }],
    [
      'a mac in url-safe letters',
      { ...request(), header: { ...request().header, mac: request().header.mac.replace('+', '-') } },
    ],
    ['another method', { ...request(), method: 'POST' }],
    ['another nonce', { ...request(), header: { ...request().header, nonce: 'other' } }],
    ['another ts', { ...request(), header: { ...request().header, ts: String(NOW_S + 1) } }],
    ['another parameter', { ...request(), uri: `${signed.uri}&a=1` }],
    ['parameters in another order', { ...request({ uri: '/x?a=1&b=2' }), uri: '/x?b=2&a=1' }],
    ['escapes in upper case', { ...request({ uri: '/x?a=%2f' }), uri: '/x?a=%2F' }],
    ['an escape more', { ...request({ uri: '/x?a=~' }), uri: '/x?a=%7E' }],
    ['another port', request({ port: 8081 })],
    ['the port of the other scheme', request({ port: 80 })],
    ['another host', request({ host: 'evil.example.com' })],
    ['a host in upper case', request({ host: signed.host.toUpperCase() })],
  ])('%s is refused', async (_name, received) => {
    expect(await outcomeOf(received)).toBe('access_denied');
  });

  it.each([
    ['the explicit port', 8081, 'in'],
    ['the port of the scheme', 80, 'in'],
    ['443, which samples sign whatever the scheme,', 443, 'in'],
    ['any other port', 8443, 'access_denied'],
  ])('with a port in the address, %s is %s', async (_name, port, outcome) => {
    expect(await outcomeOf(request({ port }), { origins: port80 })).toBe(outcome);
  });

  it('a host is not believed because the Host header names it', async () => {
    const forged = { ...request({ host: 'evil.example.com' }), hostHeader: 'evil.example.com' };
    expect(await outcomeOf(forged)).toBe('access_denied');
  });
});

it('an unknown token and a wrong mac are told alike', async () => {
  const messages = await Promise.all(
    [request(), { ...request(), method: 'POST' }].map((received, i) =>
      verifyMac(received, ports(i === 0 ? { find: async () => undefined } : {})).catch(String),
    ),
  );
  expect(messages[0]).toBe(messages[1]);
  expect(messages[0]).toContain('MacRefusal');
});

it('nobody gets in with the key that stands in for a missing one', async () => {
  const decoy = { macKey: 'no access token has this key', macAlgorithm: 'hmac-sha-1' } as const;
  const received = { ...request(), header: { ...request().header, mac: signRequest(signed, decoy) } };
  expect(await outcomeOf(received, { find: async () => undefined })).toBe('access_denied');
});

describe('nonce', () => {
  it('is refused the second time', async () => {
    expect(await outcomeOf(request(), { redeem: async (use) => ({ isFirstUse: false, use }) })).toBe('replay_attacks');
  });

  it('is not touched by a request that is not signed', async () => {
    const redeem = () => Promise.reject(new Error('touched'));
    expect(await outcomeOf({ ...request(), method: 'POST' }, { redeem })).toBe('access_denied');
  });

  it('is not spent when the credential is refused', async () => {
    const redeem = () => Promise.reject(new MacRefusal('access_denied', 'revoked'));
    expect(await outcomeOf(request(), { redeem })).toBe('access_denied');
  });
});
