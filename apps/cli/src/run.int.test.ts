import { cliHarness } from './testing/cli-harness';

const t = cliHarness({ INGRESS_PUBLIC_URL: 'https://push.example.com', MI_PUSH_URL: 'http://127.0.0.1:9' });
const { cli, json, anApp, aFile } = t;

const MI = { appId: 'app', appSecret: 'top-secret', packageName: 'com.example.app' };

describe('apps', () => {
  it('creates an app that is then listed and shown with its keys', async () => {
    const { code, out } = await cli(['apps', 'create', '测试 app', '--edition', 'commercial']);
    expect(code).toBe(0);
    const [, id = ''] = /^id: +(\S+)$/m.exec(out) ?? [];
    expect((await cli(['apps', 'list'])).out).toMatch(new RegExp(`^${id} +测试 app +commercial +off$`, 'm'));
    expect((await cli(['apps', 'show', id])).out).toBe(out);
    expect(out).toMatch(/^master key: +\w{20,}$/m);
  });

  it('keeps given keys, read from a file or from standard input', async () => {
    const keys = JSON.stringify({ key: 'given-key', masterKey: 'given-master-key' });
    const file = await aFile(keys);
    const fromFile = await json(['apps', 'create', 'Moved', '--id', 'moved-app-gzGzoHsz', '--keys-file', file]);
    const fromStdin = await json(['apps', 'create', 'Moved', '--keys-file', '-'], { stdin: keys });
    expect(fromFile).toMatchObject({ id: 'moved-app-gzGzoHsz', key: 'given-key', masterKey: 'given-master-key' });
    expect(fromStdin).toMatchObject({ edition: 'developer', key: 'given-key', masterKey: 'given-master-key' });
  });

  it('changes settings and limits', async () => {
    const id = await anApp();
    const settings = ['--name', 'New', '--hybrid', 'on', '--client-push', 'off', '--overlong', 'reject'];
    const limits = ['--calls-per-minute', '0', '--deliveries-per-day', '9', '--push-lifetime-ms', '3600000'];
    const rights = ['--installation-queries', 'on', '--push-queries', 'on', '--master-only-columns', 'userId, level'];
    const quotas = ['--master-calls-per-minute', '7', '--saves-per-second', '8', '--queries-per-second', '9'];
    const more = [...rights, ...quotas, '--intent-host', 'tap.example.com'];
    const app = await json(['apps', 'update', id, ...settings, ...limits, ...more]);
    expect(app).toMatchObject({
      ...{ name: 'New', hybrid: true, clientPush: false, overlong: 'reject', intentHost: 'tap.example.com' },
      ...{ installationQueries: true, pushQueries: true, masterOnly: { columns: ['userId', 'level'] } },
      limits: {
        ...{ callsPerMinute: 0, masterCallsPerMinute: 7, savesPerSecond: 8, queriesPerSecond: 9 },
        ...{ deliveriesPerDay: 9, pushLifetimeMs: 3_600_000 },
      },
    });
    const channels = ['--master-only-channels', 'user-'];
    expect(await json(['apps', 'update', id, '--master-only-columns', '', ...channels])).toMatchObject({
      masterOnly: { columns: [], channelPrefixes: ['user-'] },
    });
  });

  it('changes what offline messages push, and whom they reach', async () => {
    const id = await anApp();
    const update = (stdin: string) => json(['apps', 'update', id, '--offline-push', '-'], { stdin });
    const offlinePush = { alert: 'From ${fromClientId}', badge: 'Increment' };
    expect(await update(JSON.stringify(offlinePush))).toMatchObject({ offlinePush });
    const large = ['apps', 'update', id, '--offline-push', '-'];
    expect((await cli(large, { stdin: '{"alert":"Hi","user":1234567890123456789}' })).err).toContain(
      'offlinePush.user: must be a number that every JSON parser can hold',
    );
    const wrong = await cli(['apps', 'update', id, '--offline-push', '-'], { stdin: '{"alert":"${from}"}' });
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringMatching(/offlinePush.alert.*\$\{from\} is not a variable/),
    ]);
    const back = ['--offline-push', 'none', '--chat-by-channel', 'on'];
    expect(await json(['apps', 'update', id, ...back])).toMatchObject({ offlinePush: null, chatByChannel: true });
  });

  it('changes the ceiling of installations, gives it back to the fleet, and shows what there is', async () => {
    const id = await anApp();
    const ceiling = ['--installations', '50', '--installations-bytes', '0'];
    const limits = { installations: 50, installationsBytes: 0 };
    expect(await json(['apps', 'update', id, ...ceiling])).toMatchObject({ limits });
    expect((await cli(['apps', 'room', id])).out).toMatch(/^installations: +0 of 50$/m);
    expect(await json(['apps', 'room', id])).toMatchObject({ ceiling: { installations: 50, bytes: null }, evicted: 0 });
    expect(await json(['apps', 'room', id])).not.toHaveProperty('deliveriesToday');
    await json(['apps', 'update', id, '--deliveries-per-day', '9']);
    expect((await cli(['apps', 'room', id])).out).toMatch(/^reached today: +0$/m);
    expect(await json(['apps', 'update', id, '--installations', 'default'])).toMatchObject({
      limits: { installations: null },
    });
  });

  it('lets no stored name reach the terminal as a command', async () => {
    const id = await anApp();
    const name = '\x1b]0;owned\x07\x9b31m';
    const outputs = [
      await cli(['apps', 'update', id, '--name', name]),
      await cli(['apps', 'show', id]),
      await cli(['apps', 'show', id, '--json']),
    ];
    for (const { out } of outputs) for (const char of ['\x1b', '\x07', '\x9b']) expect(out).not.toContain(char);
    expect(await json(['apps', 'show', id])).toMatchObject({ name });
  });

  it('shows no key when settings change', async () => {
    const { out } = await cli(['apps', 'update', await anApp(), '--name', 'New']);
    expect(out).toContain('New');
    expect(out).not.toMatch(/key:/);
  });

  it('tells why a change is refused', async () => {
    const id = await anApp();
    await cli(['apps', 'update', id, '--hybrid', 'on']);
    const { code, err } = await cli(['apps', 'update', id, '--edition', 'developer']);
    expect(code).toBe(1);
    expect(err).toContain('switch hybrid off first');
  });

  it('tells whom a push would reach', async () => {
    const id = await anApp();
    expect((await cli(['apps', 'reach', id])).out).toBe(
      'CHANNEL  PROFILE  INSTALLATIONS  REASON\nreachable: 0 (hybrid is off: no vendor is used)\n',
    );
    expect(await json(['apps', 'reach', id])).toEqual({ hybrid: false, reachable: 0, results: [] });
  });

  it('replaces a key, prints only the new one, and until when the old one is taken', async () => {
    const id = await anApp();
    const { masterKey: old } = await json(['apps', 'show', id]);
    const { out } = await cli(['apps', 'rotate-key', id, 'masterKey', '--yes']);
    const { masterKey } = await json(['apps', 'show', id]);
    expect(masterKey).not.toBe(old);
    expect(out).toMatch(new RegExp(`^masterKey: +${String(masterKey)}\\nold masterKey: +taken until 2\\d{3}-.*Z\\n$`));
    expect((await cli(['apps', 'show', id])).out).toMatch(/^old masterKey: +taken until 2/m);
    const revoked = await cli(['apps', 'revoke-old-key', id, 'masterKey']);
    expect(revoked).toMatchObject({ code: 0, out: `the old masterKey of ${id} is refused\n` });
    expect((await cli(['apps', 'revoke-old-key', id, 'masterKey'])).err).toContain('no masterKey that was replaced');
    const { out: alone } = await cli(['apps', 'rotate-key', id, 'masterKey', '--revoke-now', '--yes']);
    expect(alone).toMatch(/^masterKey: \S+\n$/);
  });

  it('deletes an app and replaces a key only when it was told to, and says before what goes', async () => {
    const id = await anApp();
    const before = await json(['apps', 'show', id]);
    const goes = `"Test" with its keys and profiles, 0 installations and all push records goes for good; --yes deletes it`;
    const ends = 'the masterKey of "Test" gets a successor; the old one is refused at once; --yes replaces it';
    const commands = [
      [['apps', 'delete', id], goes],
      [['apps', 'rotate-key', id, 'masterKey', '--revoke-now'], ends],
    ] as const;
    for (const [argv, preview] of commands) {
      const refusal = { code: 2, out: '', err: `pushfleet: nothing was changed: ${preview}\n` };
      expect(await cli(argv)).toEqual(refusal);
      expect(await cli([...argv, '--json'])).toEqual(refusal);
      expect(await cli(argv, { isTerminal: true })).toEqual(refusal);
    }
    expect(await json(['apps', 'show', id])).toEqual(before);
    expect((await cli(['apps', 'delete', 'none'])).err).toBe('pushfleet: there is no app "none" (HTTP 404)\n');
  });

  it('deletes an app', async () => {
    const id = await anApp();
    const deleted = await cli(['apps', 'delete', id, '--no-wait', '--yes']);
    expect(deleted).toMatchObject({ code: 0, out: expect.stringContaining(`deleted ${id}; what it had goes now`) });
    expect(await cli(['apps', 'delete', id, '--no-wait', '--yes'])).toEqual(deleted);
    expect((await cli(['apps', 'delete', id])).err).toContain('is being deleted: pass 1');
    expect(await cli(['apps', 'rotate-key', id, 'key'])).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('was not understood') },
    });
    const { code, out } = await cli(['apps', 'show', id]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^being deleted since: +2.*\n(.*\n)*step: +pushes, 0 %$/m),
    });
    expect((await cli(['apps', 'list'])).out).toMatch(new RegExp(`being deleted:\\nID .*\\n(.*\\n)*${id} `));
    expect((await cli(['apps', 'update', id, '--name', 'New'])).err).toContain('is being deleted: pass 1');
    expect((await cli(['apps', 'show', 'none'])).err).toBe('pushfleet: there is no app "none" (HTTP 404)\n');
  });

  it('takes an id as one segment of the address', async () => {
    expect((await cli(['apps', 'show', '../channels'])).err).toContain('there is no app "../channels"');
  });
});

describe('profiles', () => {
  it('saves a profile from a file or from standard input and shows no secret', async () => {
    const app = await anApp();
    const fromFile = await cli(['profiles', 'put', app, 'mi', '_default', '--file', await aFile(JSON.stringify(MI))]);
    const fromStdin = await cli(['profiles', 'put', app, 'mi', 'beta', '--file', '-'], { stdin: JSON.stringify(MI) });
    for (const { code, out } of [fromFile, fromStdin]) {
      expect(code).toBe(0);
      expect(out).toMatch(/^appSecret: +\*\*\*$/m);
      expect(out).toMatch(/^receiptUrl: +https:\/\/push\.example\.com\/push\/v1\/callback\/mi\//m);
    }
    const { out } = await cli(['profiles', 'list', app]);
    expect(out).toMatch(/^mi +_default +https:/m);
    expect(out).toMatch(/^mi +beta +https:/m);
    expect((await cli(['profiles', 'show', app, 'mi', 'beta'])).out).toBe(fromStdin.out);
  });

  it('lists every violation on a line of its own', async () => {
    const argv = ['profiles', 'put', await anApp(), 'mi', '_default', '--file', '-'];
    const { code, err } = await cli(argv, { stdin: JSON.stringify({ ...MI, appId: 1, colour: 'red' }) });
    expect(code).toBe(1);
    expect(err).toMatch(/HTTP 400.*\n {2}appId: .*\n {2}colour: is not a known field\n$/);
    expect(err).not.toContain('top-secret');
  });

  it('fails when the credentials do not pass the test, and says why', async () => {
    const app = await anApp();
    await cli(['profiles', 'put', app, 'mi', '_default', '--file', '-'], { stdin: JSON.stringify(MI) });
    const { code, out, err } = await cli(['profiles', 'test', app, 'mi', '_default']);
    expect(code).toBe(1);
    expect(out).toMatch(/^ok: +false$/m);
    expect(out).toContain('could not be reached');
    expect(err).toContain('did not pass');
    expect((await cli(['profiles', 'list', app])).out).toMatch(/^mi +_default +https:\S+ +2\S+Z failed +-$/m);
    expect((await cli(['profiles', 'show', app, 'mi', '_default'])).out).toMatch(/^lastTest: +\{.*"ok":false/m);
  });

  it('deletes a profile, and says first what that ends', async () => {
    const app = await anApp();
    await cli(['profiles', 'put', app, 'mi', '_default', '--file', '-'], { stdin: JSON.stringify(MI) });
    const goes =
      'mi/_default goes with its credentials for good, and its devices are not reached any more; --yes deletes it';
    expect(await cli(['profiles', 'delete', app, 'mi', '_default'])).toMatchObject({
      ...{ code: 2, out: '' },
      err: expect.stringContaining(`nothing was changed: ${goes}`),
    });
    expect((await cli(['profiles', 'show', app, 'mi', '_default'])).code).toBe(0);
    expect((await cli(['profiles', 'delete', app, 'mi', 'other'])).code).toBe(1);
    expect(await cli(['profiles', 'delete', app, 'mi', '_default', '--yes'])).toMatchObject({
      ...{ code: 0, out: 'deleted mi/_default\n' },
    });
    expect((await cli(['profiles', 'show', app, 'mi', '_default'])).code).toBe(1);
  });
});

describe('pushes', () => {
  it('lists none for an app that sent none', async () => {
    const app = await anApp();
    expect(await json(['pushes', 'list', app, '--limit', '5', '--skip', '1'])).toEqual({ results: [], lookedAt: 0 });
    expect((await cli(['pushes', 'list', app, '--from-service', 'rtm'])).out).toMatch(/^PUSH .*\n$/);
    expect((await cli(['pushes', 'list', app, '--from-service', 'sms'])).err).toContain('push, rtm');
    expect((await cli(['pushes', 'list', app])).out).toBe('PUSH  CREATED  STATUS  DEVICES  SUCCESSES  TEXT\n');
  });

  it('says that there is no such push', async () => {
    const { code, err } = await cli(['pushes', 'show', await anApp(), 'unknown', '--installation', 'x']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has no push "unknown"') });
  });
});

describe('channels', () => {
  it('lists both queues of every channel', async () => {
    const { code, out } = await cli(['channels', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^mi +direct +0 +0 +0 +0$/m);
    expect(out).toMatch(/^mi +bulk +0 +0 +0 +0$/m);
  });

  it('pauses, drains and resumes a channel, an app on it, or one of its profiles', async () => {
    const id = await anApp();
    await json(['profiles', 'put', id, 'mi', '_default', '--file', '-'], { stdin: JSON.stringify(MI) });
    expect((await cli(['channels', 'pause', 'mi'])).out).toMatch(/^mi +paused +all +all +\d{4}-/m);
    await json(['channels', 'drain', 'mi', '--app', id, '--profile', '_default']);
    const { out } = await cli(['channels', 'list']);
    expect(out).toMatch(new RegExp(`^mi +draining +${id} +_default +`, 'm'));
    await json(['channels', 'resume', 'mi', '--app', id, '--profile', '_default']);
    expect(await json(['channels', 'resume', 'mi'])).toMatchObject({ channel: 'mi', controls: [] });
  });

  it('discards only when it was told to, and no more than it was told', async () => {
    const preview = await cli(['channels', 'discard', 'oppo']);
    const waiting = '0 devices wait (pushes: 0); --yes discards them and what comes later';
    expect(preview).toEqual({ code: 2, out: '', err: `pushfleet: nothing was changed: ${waiting}\n` });
    expect(await json(['channels', 'list'])).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ channel: 'oppo', controls: [] })]),
    });
    const { out } = await cli(['channels', 'discard', 'oppo', '--at-most', '0', '--yes']);
    expect(out).toMatch(/^oppo +discarding +all +all +\d{4}-/m);
    await json(['channels', 'resume', 'oppo']);
  });

  it('tells what does not exist', async () => {
    expect(await cli(['channels', 'pause', 'fcm'])).toMatchObject({ code: 1, err: expect.stringContaining('"fcm"') });
    const { code, err } = await cli(['channels', 'pause', 'mi', '--profile', 'game']);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('app: is required beside profile') });
  });
});

describe('a wrong token', () => {
  it('is told as such', async () => {
    const { code, err } = await cli(['apps', 'list'], { env: { ADMIN_TOKEN: 'another' } });
    expect(code).toBe(1);
    expect(err).toContain('the token was rejected');
    expect(err).not.toContain('another');
  });
});

it('an address of the console may end with a slash', async () => {
  const app = await anApp();
  const { out } = await cli(['apps', 'show', app], { env: { PUSHFLEET_URL: `${t.url}/` } });
  expect(out).toContain(app);
});
