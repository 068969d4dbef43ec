import { openPublicOrigins } from './public-origins';

const spelled = (urls: readonly string[], hostHeader?: string): readonly string[] =>
  openPublicOrigins(urls)
    .candidates(hostHeader)
    .map(({ host, port }) => `${host}:${port}`);

it.each([
  ['https://login.example.com', ['login.example.com:443']],
  ['https://login.example.com:443', ['login.example.com:443']],
  ['http://login.example.com', ['login.example.com:80', 'login.example.com:443']],
  ['https://login.example.com:8443', ['login.example.com:8443', 'login.example.com:443']],
  ['http://127.0.0.1:8081', ['127.0.0.1:8081', '127.0.0.1:80', '127.0.0.1:443']],
  ['http://LOGIN.example.com:443', ['login.example.com:443', 'login.example.com:80']],
])('%s stands for %j', (url, expected) => {
  expect(spelled([url])).toEqual(expected);
});

it('tries the host that the caller names first, and still every other', () => {
  const urls = ['https://a.example.com', 'https://b.example.com:8443', 'http://a.example.com'];
  const [first, second, ...others] = spelled(urls, 'B.example.com:8443');
  expect([first, second]).toEqual(['b.example.com:8443', 'b.example.com:443']);
  expect(others).toEqual(['a.example.com:443', 'a.example.com:80']);
});

it.each(['evil.example.com', '', 'constructor', undefined])('the Host header %j adds nothing', (hostHeader) => {
  expect(spelled(['https://a.example.com'], hostHeader)).toEqual(['a.example.com:443']);
});

it.each(['ws://a.example.com', 'a.example.com'])('%s is no public address', (url) => {
  expect(() => openPublicOrigins([url])).toThrow(/Invalid URL|must begin with http/);
});
