import { redisHarness } from '@pushfleet/testing';
import { openApiDocument } from '../openapi';
import { openUserInfo } from '../testing/user-info-harness';

const harness = redisHarness();

it('200: the document is served to anybody', async () => {
  const publicUrls = ['https://login.example.com'];
  const { raw } = await openUserInfo(harness, { publicUrls });
  const { status, headers, body } = await raw({ path: '/openapi.json' });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json;charset=utf-8');
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(publicUrls))));
});

it('200: the page is for readers and needs nothing from elsewhere', async () => {
  const { url } = await openUserInfo(harness);
  const response = await fetch(`${url}/docs`);
  expect(response.headers.get('content-type')).toBe('text/html;charset=utf-8');
  const html = await response.text();
  expect(html).toContain('/api/v1/user/info');
  expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
});

it('405: it is only to be read', async () => {
  const { raw } = await openUserInfo(harness);
  expect(await raw({ method: 'PUT', path: '/openapi.json' })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});
