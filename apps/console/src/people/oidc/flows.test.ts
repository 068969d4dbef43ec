import type { HttpRequest } from '@pushfleet/http-edge';
import { openFlows } from './flows';

const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');

let now = 1_700_000_000_000;
const flows = openFlows({ secretKey: SECRET_KEY, now: () => now, isSecure: false });

const withCookie = (cookie?: string): HttpRequest => ({ headers: { cookie } }) as HttpRequest;
const pairOf = (cookie: string): string => cookie.split(';', 1)[0] ?? '';

it('is found again by the cookie of its browser, at any console, and by no other', () => {
  const { flow, cookie } = flows.begin();
  const elsewhere = openFlows({ secretKey: SECRET_KEY, now: () => now, isSecure: true });
  expect(elsewhere.of(withCookie(`other=1; ${pairOf(cookie)}; last=2`), flow.state)).toEqual(flow);
  expect(flows.of(withCookie(pairOf(flows.begin().cookie)), flow.state)).toBeUndefined();
  expect(new Set(Object.values(flow)).size).toBe(3);
  for (const secret of Object.values(flow)) expect(cookie).not.toContain(secret);
});

it('is found among those that another host of the domain has planted', () => {
  const { flow, cookie } = flows.begin();
  const planted = [pairOf(flows.begin().cookie), 'pushfleet-oidc=x'];
  expect(flows.of(withCookie([...planted, pairOf(cookie), ...planted].join('; ')), flow.state)).toEqual(flow);
});

it('is finished at a console whose clock is a little behind, and at none that is ten minutes behind', () => {
  const { flow, cookie } = flows.begin();
  const behind = (ms: number) => openFlows({ secretKey: SECRET_KEY, now: () => now - ms, isSecure: false });
  expect(behind(2000).of(withCookie(pairOf(cookie)), flow.state)).toEqual(flow);
  expect(behind(600_000).of(withCookie(pairOf(cookie)), flow.state)).toBeUndefined();
});

it('is over after ten minutes, and a cookie that says otherwise has other secrets', () => {
  const { flow, cookie } = flows.begin();
  const later = pairOf(cookie).replace(String(now), String(now + 60_000));
  now += 600_000;
  expect(flows.of(withCookie(pairOf(cookie)), flow.state)).toBeUndefined();
  expect(flows.of(withCookie(later), flow.state)).toBeUndefined();
});

it.each([
  undefined,
  '',
  'pushfleet-oidc=',
  'pushfleet-oidc=1',
  'x-pushfleet-oidc=1.abc',
  `pushfleet-oidc=${'9'.repeat(16)}.${'a'.repeat(32)}`,
])('there is none with the cookie %j', (cookie) => expect(flows.of(withCookie(cookie), '')).toBeUndefined());

it('keeps its cookie from scripts, from other sites and, where there is TLS, from lines without it', () => {
  const { cookie } = openFlows({ secretKey: SECRET_KEY, now: () => now, isSecure: true }).begin();
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/api/v1/session', 'Secure', 'Max-Age=600'])
    expect(cookie).toContain(part);
  expect(flows.begin().cookie).not.toContain('Secure');
});
