import { unique } from '@pushfleet/testing';
import { cliHarness } from '../testing/cli-harness';

const { cli, aFile } = cliHarness();

async function aGrant(): Promise<readonly [user: string, client: string]> {
  const [user, client] = [unique('user'), unique('client')];
  expect(await cli(['users', 'put', user, '--name', 'A'])).toMatchObject({ code: 0 });
  expect(await cli(['clients', 'put', client, '--name', 'Game'])).toMatchObject({ code: 0 });
  return [user, client];
}

describe('users', () => {
  it('keeps a user from options and from standard input', async () => {
    const user = unique('user');
    const options = ['--name', '张三', '--avatar', 'https://example.com/a.png', '--gender', 'female', '--guest', 'on'];
    const { code, out } = await cli(['users', 'put', user, ...options]);
    expect(code).toBe(0);
    expect(out).toMatch(/^name: +张三\navatar: +https.*\ngender: +female\nguest: +true$/m);
    const json = JSON.stringify({ name: 'New', gender: 1 });
    expect((await cli(['users', 'put', user, '--file', '-'], { stdin: json })).out).toMatch(/^gender: +male$/m);
    expect((await cli(['users', 'delete', user])).out).toBe(`deleted ${user}\n`);
    expect(await cli(['users', 'show', user])).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no user'),
    });
  });

  it('needs something to keep', async () => {
    expect(await cli(['users', 'put', 'u'])).toMatchObject({ code: 2, err: expect.stringContaining('--name') });
  });

  it('blocks for a client and lets in again', async () => {
    const [user, client] = await aGrant();
    expect((await cli(['users', 'block', user, client])).code).toBe(0);
    expect((await cli(['users', 'show', user])).out).toMatch(new RegExp(`^blocked for: +${client}$`, 'm'));
    expect((await cli(['users', 'unblock', user, client])).code).toBe(0);
    expect((await cli(['users', 'show', user])).out).not.toContain(client);
  });
});

it('clients are kept, shown and deleted', async () => {
  const [, client] = await aGrant();
  expect((await cli(['clients', 'show', client])).out).toBe(
    `client:    ${client}\nname:      Game\ndeveloper: default\n`,
  );
  expect((await cli(['clients', 'delete', client])).out).toBe(`deleted ${client}\n`);
  expect((await cli(['clients', 'show', client])).code).toBe(1);
});

describe('tokens', () => {
  it('issues a token and takes it back', async () => {
    const [user, client] = await aGrant();
    const { code, out } = await cli(['tokens', 'issue', user, client, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ token_type: 'mac', mac_algorithm: 'hmac-sha-1', scope: 'public_profile' });
    expect((await cli(['tokens', 'revoke', user, client])).out).toBe('1 token(s) are no longer valid\n');
  });

  it('keeps a given one, which comes by file only', async () => {
    const [user, client] = await aGrant();
    const token = JSON.stringify({ access_token: unique('token'), mac_key: 'given-mac-key' });
    const { code, out } = await cli(['tokens', 'issue', user, client, '--file', '-'], { stdin: token });
    expect(code).toBe(0);
    expect(out).toMatch(/^mac_key: +given-mac-key$/m);
    expect((await cli(['tokens', 'issue', user, client, '--mac-key', 'x'])).code).toBe(2);
  });

  it('end when the user’s security changes', async () => {
    const [user, client] = await aGrant();
    for (const algorithm of ['hmac-sha-1', 'hmac-sha-256'])
      await cli(['tokens', 'issue', user, client, '--algorithm', algorithm]);
    expect((await cli(['users', 'security-change', user])).out).toBe('2 token(s) are no longer valid\n');
  });
});

it('users, clients and tokens are listed, and nothing that signs', async () => {
  const [user, client] = await aGrant();
  const given = { access_token: unique('token'), kid: unique('kid'), mac_key: 'given-mac-key', expire_in: '0' };
  await cli(['tokens', 'issue', user, client, '--file', '-'], { stdin: JSON.stringify(given) });
  expect((await cli(['users', 'list'])).out).toMatch(new RegExp(`^${user} +A +unknown +false$`, 'm'));
  expect((await cli(['clients', 'list'])).out).toMatch(new RegExp(`^${client} +Game +default$`, 'm'));
  const tokens = await cli(['tokens', 'list', user]);
  expect(tokens.out).toMatch(new RegExp(`^TOKEN .*\\n[\\w-]{12} +${client} +hmac-sha-1 +public_profile +0\\n$`));
  const { out } = await cli(['tokens', 'list', user, '--json']);
  for (const secret of [given.access_token, given.kid, given.mac_key]) expect(out).not.toContain(secret);
  await cli(['tokens', 'revoke', user, client]);
  expect((await cli(['tokens', 'list', user])).out).toBe('TOKEN  CLIENT  ALGORITHM  SCOPE  EXPIRE IN\n');
  expect(await cli(['tokens', 'list', 'nobody'])).toMatchObject({ code: 1, err: expect.stringContaining('no user') });
});

describe('import users', () => {
  const user = (user_id: string) => JSON.stringify({ user_id, name: user_id });
  const token = (user_id: string, client_id: string, access_token = unique('token')) =>
    JSON.stringify({ user_id, client_id, access_token, mac_key: 'secret-mac-key' });

  it('takes over more than one portion, and the same again', async () => {
    const [, client] = await aGrant();
    const prefix = unique('u');
    const ids = Array.from({ length: 700 }, (_, i) => `${prefix}-${i}`);
    const file = await aFile(`${ids.flatMap((id) => [user(id), token(id, client)]).join('\n')}\n`);
    for (let run = 0; run < 2; run += 1)
      expect(await cli(['import', 'users', file])).toEqual({ code: 0, out: '700 users, 700 tokens\n', err: '' });
    expect((await cli(['users', 'show', ids[699] ?? ''])).code).toBe(0);
  });

  it('tells every bad line by its number and reason, and takes over the others', async () => {
    const [known, client] = await aGrant();
    const lines = [
      user(unique('u')),
      '{"mac_key": "secret',
      '',
      '{"user_id": "x"}',
      token('nobody', client),
      token(known, client),
    ];
    const { code, out, err } = await cli(['import', 'users', '-'], { stdin: lines.join('\r\n') });
    expect({ code, out }).toEqual({ code: 1, out: '1 users, 1 tokens\n' });
    expect(err).toMatch(
      /^line 2: is not JSON\nline 4: name: .*\nline 5: there is no such user\n.*3 line\(s\) were left out\n$/,
    );
    expect(err).not.toContain('secret');
    const json = await cli(['import', 'users', '-', '--json'], { stdin: lines.join('\n') });
    expect(JSON.parse(json.out)).toEqual({ users: 1, tokens: 1, bad: 3 });
  });

  it('says that a file is cut off, and does not count its last line as a bad one', async () => {
    const file = await aFile(`${user(unique('u'))}\nno line\n{"user_id": "x`);
    expect(await cli(['import', 'users', file])).toEqual({
      ...{ code: 1, out: '1 users, 0 tokens\n' },
      err: `line 2: is not JSON\npushfleet: ${file}: ends in the middle of line 3: it is cut off, and what follows is missing\n`,
    });
  });

  it('refuses a file that is not there', async () => {
    expect(await cli(['import', 'users', '/nowhere.jsonl'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('ENOENT'),
    });
  });

  it('says where it stopped', async () => {
    const env = { PUSHFLEET_URL: 'http://127.0.0.1:9' };
    const { code, err } = await cli(['import', 'users', '-'], { env, stdin: user('u') });
    expect(code).toBe(1);
    expect(err).toContain('stopped after line 0; run it again');
  });
});
