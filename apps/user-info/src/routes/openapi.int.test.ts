import { expectReferencePage } from '@pushfleet/http-edge/testing';
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
  await expectReferencePage((await openUserInfo(harness)).url);
});

it('302: whoever has nothing but the host is led to the page', async () => {
  const { raw } = await openUserInfo(harness);
  expect(await raw({ path: '/' })).toMatchObject({ status: 302, headers: { location: 'docs' } });
});

it('405: it is only to be read', async () => {
  const { raw } = await openUserInfo(harness);
  expect(await raw({ method: 'PUT', path: '/openapi.json' })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});
