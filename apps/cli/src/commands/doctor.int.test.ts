import { cliHarness } from '../testing/cli-harness';

const { cli } = cliHarness();

it('prints a line per check, what to do, and leaves with 1 when there is a problem', async () => {
  // The Redis of the tests has no maxmemory.
  const { code, out, err } = await cli(['doctor']);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^pushfleet: there (is a|are \d+) problems?\n$/),
  });
  expect(out).toMatch(/^ok +console-clock +- +goes as the clock of this machine$/m);
  expect(out).toMatch(/^ok +redis-version +127\.0\.0\.1:\d+ +[789]\./m);
  expect(out).toMatch(/^problem +redis-memory +127\.0\.0\.1:\d+ +maxmemory is not set/m);
  expect(out).toMatch(/^problem +redis-memory +127\.0\.0\.1:\d+ +CONFIG SET maxmemory/m);
  expect(out).toMatch(/^warning +queue-consumers +push-requests +start a dispatcher$/m);
});

it('prints one line of JSON on demand', async () => {
  const { code, out } = await cli(['doctor', '--json']);
  expect(out).toMatch(/^[^\n]+\n$/);
  expect({ code, report: JSON.parse(out) as unknown }).toMatchObject({ code: 1, report: { ok: false } });
});

it.each(['--json', undefined])('tells that the console cannot be reached (%s)', async (json) => {
  const { code, out } = await cli(['doctor', ...(json === undefined ? [] : [json])], {
    env: { PUSHFLEET_URL: 'http://127.0.0.1:9' },
  });
  expect(code).toBe(1);
  expect(out).toContain('cannot reach http://127.0.0.1:9');
  expect(out).toContain('make sure that the console runs');
});
