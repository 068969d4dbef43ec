import { createServer } from 'node:http';
import { openVendorHttp } from '@pushfleet/channel-kit';
import { channelNames, channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { closeServer, listen } from '@pushfleet/service-kit';
import { consoleHarness, INGRESS_URL, type ConsoleHarness } from '../testing/console-harness';
import { putStrangeProfile } from '../testing/strange-profile';

const admin = consoleHarness();
const withoutAddress = consoleHarness({ ports: { ingressUrl: undefined } });
const { call } = admin;

async function anApp({ call: create }: Pick<ConsoleHarness, 'call'> = admin): Promise<string> {
  const { body } = await create('POST', '/apps', { name: 'Test', edition: 'commercial' });
  return String(body['id']);
}

const MI = simulatorProfiles.mi as unknown as Readonly<Record<string, string>>;
const masked = { ...MI, appSecret: '***' };

async function aProfile(value: object = MI): Promise<{ app: string; path: string; receiptUrl: string }> {
  const app = await anApp();
  const path = `/apps/${app}/profiles/mi/_default`;
  const { body } = await call('PUT', path, value);
  return { app, path, receiptUrl: String(body['receiptUrl']) };
}

const storedValue = async (app: string) =>
  (await admin.store.profiles.get({ app, channel: 'mi', profile: '_default' }))?.value;

describe('PUT /apps/:id/profiles/:channel/:profile', () => {
  describe('200', () => {
    it.each(channelNames)('keeps a profile of %s and shows none of its secrets', async (name) => {
      const app = await anApp();
      const value = simulatorProfiles[name] as Readonly<Record<string, unknown>>;
      const path = `/apps/${app}/profiles/${name}/_default`;
      const answers = [await call('PUT', path, value), await call('GET', path)];
      for (const { status, body } of answers) {
        expect({ status, body }).toMatchObject({ status: 200, body: { channel: name, profile: '_default' } });
        for (const field of channels[name].secretFields)
          expect(body[field]).toBe(value[field] === undefined ? undefined : '***');
      }
      expect((await admin.store.profiles.get({ app, channel: name, profile: '_default' }))?.value).toEqual(value);
    });

    it('gives the vendor an address that later saves keep', async () => {
      const { app, path, receiptUrl } = await aProfile();
      const prefix = `${INGRESS_URL}/push/v1/callback/mi/${app}/_default/`;
      expect(receiptUrl.startsWith(prefix)).toBe(true);
      expect(receiptUrl.slice(prefix.length)).toMatch(/^[A-Za-z0-9]{20,}$/);
      const again = await call('PUT', path, { ...MI, appId: 'another' });
      expect(again.body).toMatchObject({ appId: 'another', receiptUrl });
    });

    it('names no address while the fleet has none', async () => {
      const app = await anApp(withoutAddress);
      const { status, body } = await withoutAddress.call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      expect({ status, body }).toEqual({ status: 200, body: { channel: 'mi', profile: '_default', ...masked } });
    });

    it('keeps a secret that comes back as ***, and the answer of a read may be sent back', async () => {
      const { app, path } = await aProfile();
      const { body: read } = await call('GET', path);
      expect(await call('PUT', path, { ...read, appId: 'changed' })).toMatchObject({ status: 200 });
      expect(await storedValue(app)).toEqual({ ...MI, appId: 'changed' });
    });

    it('replaces the whole profile', async () => {
      const { app, path } = await aProfile({ ...MI, channelId: 'news' });
      await call('PUT', path, MI);
      expect(await storedValue(app)).toEqual(MI);
    });

    it('keeps profiles of different names apart', async () => {
      const { app } = await aProfile();
      await call('PUT', `/apps/${app}/profiles/mi/beta_2`, { ...MI, appId: 'beta' });
      expect((await call('GET', `/apps/${app}/profiles/mi/_default`)).body).toMatchObject({ appId: MI['appId'] });
      expect((await call('GET', `/apps/${app}/profiles/mi/beta_2`)).body).toMatchObject({ appId: 'beta' });
    });
  });

  it('knows a secret under the name of the hybrid push guide, and its mask too', async () => {
    const app = await anApp();
    const path = `/apps/${app}/profiles/vivo/_default`;
    const { appSecret, ...rest } = simulatorProfiles.vivo;
    for (const secret of [appSecret, '***']) {
      expect((await call('PUT', path, { ...rest, secret })).body).toMatchObject({ appSecret: '***' });
      const stored = await admin.store.profiles.get({ app, channel: 'vivo', profile: '_default' });
      expect(stored?.value).toEqual(simulatorProfiles.vivo);
    }
  });

  describe('400', () => {
    it('names every violation and repeats no secret', async () => {
      const app = await anApp();
      const value = { appSecret: 'top-secret', packageName: '', colour: 'red', receiptUrl: 'https://elsewhere' };
      const answer = await call('PUT', `/apps/${app}/profiles/mi/_default`, value);
      expect(answer).toMatchObject({ status: 400, body: { code: 111 } });
      const paths = (answer.body['details'] as { path: string }[]).map(({ path }) => path).sort();
      expect(paths).toEqual(['appId', 'colour', 'packageName', 'receiptUrl']);
      expect(JSON.stringify(answer.body)).not.toContain('top-secret');
      expect(await storedValue(app)).toBeUndefined();
    });

    it('cannot keep a secret that was never stored, and tells so beside the other violations', async () => {
      const app = await anApp();
      const answer = await call('PUT', `/apps/${app}/profiles/mi/_default`, { ...masked, colour: 'red' });
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'appSecret' }, { path: 'colour' }] } });
    });

    it('is the answer to a profile that wants an address in every message which the vendor would refuse', async () => {
      const app = await anApp();
      const put = (receipts: object) =>
        call('PUT', `/apps/${app}/profiles/mz/${'a'.repeat(64)}`, { ...simulatorProfiles.mz, ...receipts });
      const refused = await put({ receipts: 'url' });
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'receipts' }] } });
      expect(refused.body['error']).toMatch(/has \d{3} bytes and mz takes 128: shorten INGRESS_PUBLIC_URL/);
      expect([(await put({ receipts: 'off' })).status, (await put({})).status]).toEqual([200, 200]);
      const short = await call('PUT', `/apps/${app}/profiles/mz/_default`, {
        ...simulatorProfiles.mz,
        receipts: 'url',
      });
      expect(short).toMatchObject({ status: 200, body: { receipts: 'url' } });
    });

    it('is the answer to receipts by an id that the vendor does not have, or the profile does not name', async () => {
      const app = await anApp();
      for (const name of ['mz', 'vivo'] as const) {
        const value = { ...simulatorProfiles[name], receipts: 'id' };
        const answer = await call('PUT', `/apps/${app}/profiles/${name}/_default`, value);
        expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'receipts' }] } });
      }
    });

    it('is the answer to a body that is not an object', async () => {
      const { path } = await aProfile();
      expect(await call('PUT', path, ['x'])).toMatchObject({ status: 400, body: { code: 111 } });
    });

    it.each(['1st', '_other', 'with-dash', 'a'.repeat(65)])('refuses the profile name %s', async (profile) => {
      const app = await anApp();
      const answer = await call('PUT', `/apps/${app}/profiles/mi/${profile}`, MI);
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'profile' }] } });
    });
  });

  describe('404', () => {
    it('names the known channels', async () => {
      const app = await anApp();
      const answer = await call('PUT', `/apps/${app}/profiles/pigeon/_default`, MI);
      expect(answer.status).toBe(404);
      for (const name of channelNames) expect(answer.body['error']).toContain(name);
    });

    it('is the answer for an app that does not exist', async () => {
      expect((await call('PUT', '/apps/no-such-app/profiles/mi/_default', MI)).status).toBe(404);
    });
  });
});

describe('GET /apps/:id/profiles', () => {
  describe('200', () => {
    it('lists every profile of the app with its secrets masked', async () => {
      const { app, receiptUrl } = await aProfile();
      const answer = await call('GET', `/apps/${app}/profiles`);
      const results = [{ channel: 'mi', profile: '_default', receiptUrl, ...masked }];
      expect(answer).toMatchObject({ status: 200, body: { results } });
    });

    it('tells when a receipt was seen, and takes that back as it has become meanwhile', async () => {
      const { app, path } = await aProfile();
      await admin.store.profiles.noteReceipt({ app, channel: 'mi', profile: '_default' });
      const { body } = await call('GET', path);
      expect(Date.now() - Date.parse(String(body['receiptSeenAt']))).toBeLessThan(60_000);
      const saved = await call('PUT', path, { ...body, receiptSeenAt: '2020-01-01T00:00:00.000Z' });
      expect(saved).toMatchObject({ status: 200, body: { receiptSeenAt: body['receiptSeenAt'] } });
      expect(await storedValue(app)).toEqual(MI);
    });

    it('shows nothing but the name of a profile whose channel is unknown', async () => {
      const app = await anApp();
      const ref = { app, channel: 'gone', profile: '_default' };
      await admin.store.profiles.put(ref, { value: { apiKey: 'top-secret' }, receiptKey: 'r' });
      const { body } = await call('GET', `/apps/${app}/profiles`);
      expect(body['results']).toEqual([{ channel: 'gone', profile: '_default' }]);
    });
  });
});

describe('GET /apps/:id/profiles/:channel/:profile', () => {
  describe('404', () => {
    it('is the answer for a profile that was not saved', async () => {
      const app = await anApp();
      expect((await call('GET', `/apps/${app}/profiles/mi/_default`)).status).toBe(404);
    });

    it('is the answer for the profile of another app', async () => {
      await aProfile();
      const other = await anApp();
      expect((await call('GET', `/apps/${other}/profiles/mi/_default`)).status).toBe(404);
    });
  });

  describe('409', () => {
    it('says what to do about a profile that another SECRET_KEY sealed; it can be deleted', async () => {
      const app = await anApp();
      await putStrangeProfile(admin, { app, channel: 'mi', profile: '_default' }, { value: MI, receiptKey: 'r' });
      const path = `/apps/${app}/profiles/mi/_default`;
      for (const answer of [await call('GET', path), await call('PUT', path, MI)]) {
        const error = expect.stringContaining('set SECRET_KEY_PREVIOUS to the old key');
        expect(answer).toMatchObject({ status: 409, body: { error } });
      }
      expect((await call('DELETE', path)).status).toBe(200);
    });
  });
});

describe('DELETE /apps/:id/profiles/:channel/:profile', () => {
  describe('200', () => {
    it('removes the profile', async () => {
      const { path } = await aProfile();
      expect(await call('DELETE', path)).toMatchObject({ status: 200, body: {} });
      expect((await call('GET', path)).status).toBe(404);
    });

    it('ends the old receipt address', async () => {
      const { path, receiptUrl } = await aProfile();
      await call('DELETE', path);
      expect((await call('PUT', path, MI)).body['receiptUrl']).not.toBe(receiptUrl);
    });
  });

  describe('404', () => {
    it('is the answer for a profile that was not saved', async () => {
      const app = await anApp();
      expect((await call('DELETE', `/apps/${app}/profiles/mi/_default`)).status).toBe(404);
    });
  });
});

describe('POST /apps/:id/profiles/:channel/:profile/test', () => {
  const silent = createServer(() => undefined);
  const vendorHttp = openVendorHttp({ deadlineMs: 5_000, connectionsPerOrigin: 1 });
  const origins: Record<string, string> = {};
  const slow = consoleHarness({ vendorHttp, timeoutMs: 100, origins });
  beforeAll(async () => {
    const { url } = await listen(silent, { port: 0, host: '127.0.0.1', variable: 'PORT' });
    for (const name of Object.keys(channels.mi.endpoints)) origins[name] = url;
  });
  afterAll(async () => {
    silent.closeAllConnections();
    await closeServer(silent);
    await vendorHttp.close();
  });

  describe('200', () => {
    it.each(channelNames)('says ok when %s takes the credentials', async (name) => {
      const app = await anApp();
      await call('PUT', `/apps/${app}/profiles/${name}/_default`, simulatorProfiles[name]);
      const answer = await call('POST', `/apps/${app}/profiles/${name}/_default/test`);
      expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    });

    it.each(channelNames)("passes on the refusal in %s's words, without the secret", async (name) => {
      const app = await anApp();
      const right = Object.entries(simulatorProfiles[name]);
      const secrets: readonly string[] = channels[name].secretFields;
      const wrong = right.map(([field, value]) => [field, secrets.includes(field) ? 'a-wrong-secret' : value]);
      const saved = await call('PUT', `/apps/${app}/profiles/${name}/_default`, Object.fromEntries(wrong));
      const answer = await call('POST', `/apps/${app}/profiles/${name}/_default/test`);
      expect([saved.status, answer.status]).toEqual([200, 200]);
      const { ok, vendorCode, vendorMessage } = answer.body;
      expect({ ok, vendorCode }).toEqual({ ok: false, vendorCode: expect.any(String) });
      expect(vendorMessage).not.toContain('a-wrong-secret');
    });

    it('is told with the profile from then on, without the secret, until the profile is saved again', async () => {
      const secret = 'a-wrong-secret';
      const { app, path } = await aProfile({ ...MI, appSecret: secret });
      expect((await call('GET', path)).body).not.toHaveProperty('lastTest');
      const before = new Date().toISOString();
      const { body: said } = await call('POST', `${path}/test`);
      const { body: shown } = await call('GET', path);
      expect(shown['lastTest']).toEqual({ at: expect.any(String), ...said, ok: false });
      expect((shown['lastTest'] as { at: string }).at >= before).toBe(true);
      expect((await call('GET', `/apps/${app}/profiles`)).body['results']).toEqual([shown]);
      const keys = await admin.redis.hgetall(`${admin.namespace}:profile-notes:{${app}}`);
      expect(Object.keys(keys)).toEqual(['test mi/_default']);
      expect(JSON.stringify(keys)).not.toContain(secret);

      const saved = await call('PUT', path, { ...shown, appSecret: MI['appSecret'] });
      expect([saved.status, saved.body['lastTest']]).toEqual([200, undefined]);
      await call('POST', `${path}/test`);
      expect((await call('GET', path)).body['lastTest']).toMatchObject({ ok: true });
    });

    it('tells a vendor in trouble from wrong credentials', async () => {
      const { path } = await aProfile();
      admin.vendors.misbehave({ kind: 'http-5xx' });
      const answer = await call('POST', `${path}/test`);
      expect(answer).toMatchObject({ status: 200, body: { ok: false, fault: 'vendor-error' } });
    });

    it('does not wait for a vendor that is silent', async () => {
      const app = await anApp(slow);
      await slow.call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      const answer = await slow.call('POST', `/apps/${app}/profiles/mi/_default/test`);
      expect(answer).toMatchObject({
        status: 200,
        body: { ok: false, vendorCode: null, vendorMessage: expect.any(String), fault: 'unreachable' },
      });
    });
  });

  describe('404', () => {
    it('is the answer for a profile that was not saved', async () => {
      const app = await anApp();
      expect((await call('POST', `/apps/${app}/profiles/mi/_default/test`)).status).toBe(404);
    });
  });

  describe('409', () => {
    it('asks to save a profile again that the rules of today refuse', async () => {
      const app = await anApp();
      const ref = { app, channel: 'mi', profile: '_default' };
      await admin.store.profiles.put(ref, { value: { appId: 'x' }, receiptKey: 'r' });
      const answer = await call('POST', `/apps/${app}/profiles/mi/_default/test`);
      expect(answer).toMatchObject({ status: 409, body: { code: 409, details: expect.any(Array) } });
    });
  });
});

it('tells what a profile of each channel holds, those fields first that it needs', async () => {
  const { status, body } = await admin.call('GET', '/profile-fields');
  expect(status).toBe(200);
  const results = body['results'] as {
    channel: string;
    names: object;
    fields: { name: string; isSecret: boolean }[];
  }[];
  expect(results.map(({ channel }) => channel).sort()).toEqual([...channelNames].sort());
  for (const { channel, names, fields } of results) {
    expect(names).toEqual(channels[channel as 'mi'].names);
    const secret = fields.filter(({ isSecret }) => isSecret).map(({ name }) => name);
    expect([channel, secret.sort()]).toEqual([channel, [...channels[channel as 'mi'].secretFields].sort()]);
    expect(Object.keys(simulatorProfiles[channel as 'mi']).every((name) => fields.some((f) => f.name === name))).toBe(
      true,
    );
  }
  const mi = results.find(({ channel }) => channel === 'mi')?.fields;
  expect(mi?.slice(0, 2)).toMatchObject([
    { name: 'appId', isRequired: true, descriptions: { 'zh-CN': expect.stringContaining('AppID') as string } },
    { name: 'appSecret', isSecret: true },
  ]);
  expect(mi?.find(({ name }) => name === 'tap')).toMatchObject({ choices: ['app', 'page', 'receiver'] });
});
