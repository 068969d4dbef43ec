import type { HttpRequest } from '@pushfleet/http-edge';
import { refuseOtherSites } from './browser-guard';

const sentFrom = (origin: string, host: string | undefined) => (): void =>
  refuseOtherSites({ method: 'POST', headers: { origin, host, 'x-pushfleet-console': '1' } } as unknown as HttpRequest);

it.each([
  ['https://push.example.com', 'push.example.com'],
  ['https://push.example.com', 'push.example.com:443'],
  ['http://push.example.com', 'push.example.com:80'],
  ['https://push.example.com:8443', 'PUSH.example.com:8443'],
  ['http://[::1]:8083', '[::1]:8083'],
])('a page at %s may ask the host %s, however a proxy writes the port', (origin, host) =>
  expect(sentFrom(origin, host)).not.toThrow(),
);

it.each([
  ['http://push.example.com', 'push.example.com:443'],
  ['https://push.example.com', 'push.example.com:8443'],
  ['https://push.example.com:8443', 'push.example.com'],
  ['https://push.example.com.evil.example', 'push.example.com'],
  ['https://evil.example', 'push.example.com'],
  ['https://undefined', undefined],
  ['file://', 'push.example.com'],
  ['null', 'push.example.com'],
])('a page at %s may not ask the host %s', (origin, host) =>
  expect(sentFrom(origin, host)).toThrow('this request comes from another site'),
);

it('tells whoever put a proxy in front what it must pass on', () =>
  expect(sentFrom('https://console.example.com', '127.0.0.1:8083')).toThrow(
    'this request comes from another site, or a proxy does not pass on the header Host as the browser sent it',
  ));
