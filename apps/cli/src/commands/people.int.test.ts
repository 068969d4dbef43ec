import { cliHarness } from '../testing/cli-harness';

const { cli, json, aFile } = cliHarness();

const PASSWORD = 'a sentence that is easy to keep\n';

it('lets somebody in, changes what they may do, and lets them in no more', async () => {
  const file = await aFile(PASSWORD);
  const create = ['people', 'create', 'ann', '--role', 'sender', '--apps', 'appOne, appTwo', '--password-file', file];
  expect(await json(create)).toMatchObject({ name: 'ann', role: 'sender', apps: ['appOne', 'appTwo'] });
  const changed = await cli(['people', 'update', 'ann', '--role', 'viewer', '--apps', 'all']);
  expect(changed.out).toMatch(/^NAME +ROLE +APPS +SINCE\nann +viewer +all +20\d\d/);
  expect((await cli(['people', 'list'])).out).toMatch(/^ann +viewer/m);
  expect((await cli(['people', 'sign-out', 'ann'])).out).toBe('ended all sessions of ann\n');
  const password = await cli(['people', 'password', 'ann', '--password-file', '-'], { stdin: PASSWORD });
  expect(password).toMatchObject({ code: 0, out: 'changed the password of ann\n' });
  expect((await cli(['people', 'delete', 'ann'])).out).toBe('deleted ann\n');
  expect(await cli(['people', 'delete', 'ann'])).toMatchObject({ code: 1 });
});

it('names every field that is wrong, and repeats no password', async () => {
  const input = { stdin: 'too short\n' };
  const { code, err } = await cli(['people', 'create', 'b b', '--role', 'viewer', '--password-file', '-'], input);
  expect(code).toBe(1);
  expect(err).toMatch(/name: must be 1 to 64 letters/);
  expect(err).toMatch(/password: must have at least 15 characters/);
  expect(err).not.toContain('too short');
});

it('a token that it makes works in the place of ADMIN_TOKEN, as far as its role reaches, until it is deleted', async () => {
  const { token, id } = await json(['api-tokens', 'create', 'ci', '--role', 'viewer', '--days', '1']);
  const env = { ADMIN_TOKEN: String(token) };
  expect((await cli(['apps', 'list'], { env })).code).toBe(0);
  const refused = await cli(['apps', 'create', 'x', '--edition', 'developer'], { env });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('takes the role operator; yours is viewer') });
  expect((await cli(['api-tokens', 'list'])).out).toMatch(new RegExp(`^${String(id)} +ci +viewer +all`, 'm'));
  expect((await cli(['api-tokens', 'delete', String(id)])).code).toBe(0);
  expect((await cli(['apps', 'list'], { env })).code).toBe(1);
});

it('refuses a role that there is none', async () => {
  expect((await cli(['people', 'create', 'x', '--role', 'root', '--password-file', '-'])).code).toBe(2);
});
