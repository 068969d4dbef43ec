import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCli } from './testing/run-cli';

it('takes the token from a file that is named', async () => {
  const env = { ADMIN_TOKEN_FILE: join(__dirname, 'run.test.ts'), PUSHFLEET_URL: 'http://127.0.0.1:1' };
  const { code, err } = await runCli(['apps', 'list'], { env });
  expect(code).toBe(2);
  expect(err).toContain('ADMIN_TOKEN: may hold visible ASCII characters only');
  const missing = await runCli(['apps', 'list'], { env: { ADMIN_TOKEN_FILE: '/no/such/file' } });
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('/no/such/file cannot be read (ENOENT)') });
});

describe('exit code 2', () => {
  const env = { ADMIN_TOKEN: 'token', PUSHFLEET_URL: 'http://127.0.0.1:1' };

  it.each([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['apps', 'show'], "missing required argument 'app'"],
    [['apps', 'create', 'x', '--edition', 'gold'], 'developer'],
    [['apps', 'update', 'a', '--hybrid', 'maybe'], 'on or off'],
    [['apps', 'update', 'a'], 'nothing to change'],
    [['apps', 'rotate-key', 'a', 'id'], 'key or masterKey'],
    [['apps', 'rotate-key', 'a', 'key', '--keep-old', '7 weeks'], 'such as 500ms'],
    [['apps', 'rotate-key', 'a', 'key', '--keep-old', '7d', '--revoke-now'], '--keep-old or --revoke-now'],
    [['apps', 'create', 'x', '--master-key', 'secret'], "unknown option '--master-key'"],
    [['pushes', 'list', 'a', '--limit', 'x'], 'whole number'],
    [['reasons', 'bad-luck'], 'there is no reason "bad-luck"; the reasons are silent-unsupported'],
    [['profiles', 'put', 'a', 'mi', '_default'], '--file'],
    [['devices'], '--count'],
    [['devices', '--count', '1', '--ack-share', '1.5'], '0 to 1'],
    [['devices', '--count', '1', '--drop-every', '0'], 'above 0'],
    [['devices', '--count', '1'], '--app-file'],
    [['devices', '--count', '1', '--app-key', 'secret'], "unknown option '--app-key'"],
    [['profiles', 'put', 'a', 'mi', '_default', '--file', '/nowhere.json'], '/nowhere.json: cannot be read (ENOENT)'],
  ])('%j is not sent', async (argv, message) => {
    const { code, err, out } = await runCli(argv, { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  it.each([
    [['indexes', 'remove', 'a', '..'], "argument 'column'"],
    [['tokens', 'revoke', 'u', '..'], "argument 'client'"],
    [['users', 'unblock', 'u', '.'], "argument 'client'"],
    [['users', 'delete', ''], "argument 'user'"],
    [['profiles', 'delete', 'a', '.', '..'], "argument 'channel'"],
    [['apps', 'delete', '..', '--yes'], "argument 'app'"],
    [['pushes', 'cancel', '..'], "argument 'push'"],
    [['export', 'installations', '--app', '..'], "option '--app <id>'"],
    [['import', 'installations', __filename, '--app', ''], "option '--app <id>'"],
  ])('%j would lead to another place than it names', async (argv, named) => {
    const { code, err, out } = await runCli(argv, { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(named);
  });

  it('asks for the token', async () => {
    expect(await runCli(['apps', 'list'])).toMatchObject({ code: 2, err: expect.stringContaining('ADMIN_TOKEN: ') });
  });

  it('tells everything that is wrong with the environment', async () => {
    const { code, err } = await runCli(['apps', 'list'], { env: { PUSHFLEET_URL: 'ftp://host' } });
    expect(code).toBe(2);
    expect(err).toMatch(/PUSHFLEET_URL: .*\n.*ADMIN_TOKEN: /);
  });

  it('does not repeat an input that is not JSON', async () => {
    const argv = ['profiles', 'put', 'a', 'mi', '_default', '--file', '-'];
    const { code, err } = await runCli(argv, { env, stdin: '{"appSecret": top-secret' });
    expect({ code, err }).toEqual({ code: 2, err: 'pushfleet: standard input: is not JSON\n' });
  });

  it('takes nothing but the two keys from a keys file', async () => {
    const argv = ['apps', 'create', 'x', '--keys-file', '-'];
    const { code, err } = await runCli(argv, { env, stdin: '{"master_key": "top-secret"}' });
    expect(code).toBe(2);
    expect(err).toContain('only key and masterKey');
  });
});

describe('exit code 1', () => {
  let server: Server | undefined;
  async function answering(listener: RequestListener): Promise<string> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });
  const listApps = (url: string, ...more: string[]) =>
    runCli(['apps', 'list', ...more], { env: { ADMIN_TOKEN: 'token', PUSHFLEET_URL: url } });

  it('names the address that cannot be reached', async () => {
    const url = await answering(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    const { code, err } = await listApps(url);
    expect(code).toBe(1);
    expect(err).toContain(`cannot reach ${url} (ECONNREFUSED)`);
  });

  it('doubts an address that does not answer in JSON', async () => {
    const url = await answering((_req, res) => res.end('<html>'));
    expect(await listApps(url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is it the address of the console?'),
    });
  });

  it('does not follow a redirection with the token', async () => {
    const paths: unknown[] = [];
    const url = await answering((req, res) => {
      paths.push(req.url);
      res.writeHead(302, { location: '/elsewhere' }).end('{}');
    });
    expect(await listApps(url)).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 302') });
    expect(paths).toEqual(['/api/v1/apps']);
  });

  it('says when an answer is not understood, and prints it with --json', async () => {
    const url = await answering((_req, res) => res.end('{"results":[{"id":1}]}'));
    expect(await listApps(url)).toMatchObject({ code: 1, err: expect.stringContaining('--json') });
    expect(await listApps(url, '--json')).toEqual({ code: 0, out: '{"results":[{"id":1}]}\n', err: '' });
  });
});
