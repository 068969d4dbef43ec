import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, withConsole } from '../testing/fake-console';
import { runCli, type CliRun } from '../testing/run-cli';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pushfleet-other-'));
  await writeFile(join(folder, 'rows'), '{}\n');
});
afterAll(() => rm(folder, { recursive: true }));

/** A run at a server that takes everything and answers what nobody asked for. */
const run = (argv: readonly string[]): Promise<CliRun> =>
  withConsole([json(200, { status: 'UP' })], (url) => {
    const app = { PUSHFLEET_INGRESS_URL: url, PUSHFLEET_APP_ID: 'app', PUSHFLEET_MASTER_KEY: 'key' };
    return runCli(
      argv.map((word) => (word === 'FILE' ? join(folder, 'rows') : word)),
      { env: { ADMIN_TOKEN: 'token', PUSHFLEET_URL: url, ...app } },
    );
  });

it.each([
  'import installations FILE --app a',
  'import users FILE',
  'export installations --app a',
  'export retired',
  'pushes devices p',
  'indexes add a c',
  'secrets reseal',
  'apps delete a',
  'apps delete a --yes',
])('%s says that the answer was not understood', async (line) => {
  const { code, out, err } = await run(line.split(' '));
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^pushfleet: the answer was not understood: another server may have this address\n/);
});

it('doctor says so as well', async () => {
  const { code, out } = await run(['doctor']);
  expect(code).toBe(1);
  expect(out).toMatch(/^problem +console +- +the answer was not understood/m);
});

it.each([
  ['apps list', '/api/v1/apps (HTTP 404): set PUSHFLEET_URL to the address of the console'],
  ['channels list', '/api/v1/channels (HTTP 404): set PUSHFLEET_URL to the address of the console'],
  ['pushes send --text Hi', '/1.1/push (HTTP 404): set PUSHFLEET_INGRESS_URL to the address of the push API'],
])('%s at another service of the fleet says which setting is wrong', async (line, advice) => {
  const missing = json(404, { code: 404, error: 'There is nothing here.' });
  await withConsole([missing], async (url) => {
    const app = { PUSHFLEET_INGRESS_URL: url, PUSHFLEET_APP_ID: 'app', PUSHFLEET_MASTER_KEY: 'key' };
    const { code, err } = await runCli(line.split(' '), { env: { ADMIN_TOKEN: 'token', PUSHFLEET_URL: url, ...app } });
    const words = `${url} has nothing at ${advice}`;
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(words) });
  });
});
