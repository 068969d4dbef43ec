import { type IncomingHttpHeaders } from 'node:http';
import { type Answer } from '@pushfleet/http-edge';

const ALLOWED_HEADERS = [
  ...['Content-Type', 'X-LC-Id', 'X-LC-Key', 'X-LC-Sign', 'X-LC-Session', 'X-LC-Hook-Key', 'X-LC-Prod', 'X-LC-UA'],
  ...['X-AVOSCloud-Application-Id', 'X-AVOSCloud-Application-Key', 'X-AVOSCloud-Request-Sign'],
];
const CLIENT_HEADER = /^x-lc-[a-z-]+$/i;
const DAY_SECONDS = 86_400;

/** Keys travel in headers and never in cookies, so any origin may call. */
export function corsPreflight(headers: IncomingHttpHeaders): Answer {
  const requested = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  const allowed = new Set([...ALLOWED_HEADERS, ...requested.filter((name) => CLIENT_HEADER.test(name))]);
  return {
    status: 204,
    body: '',
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': [...allowed].join(', '),
      'access-control-max-age': String(DAY_SECONDS),
    },
  };
}
