import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@pushfleet/domain';
import { until } from '@pushfleet/testing';
import { busy, json, withConsole, type Answer } from '../testing/fake-console';
import { runCli, type CliInput, type CliRun } from '../testing/run-cli';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'pushfleet-away-'))));
afterAll(() => rm(folder, { recursive: true }));

interface Input extends CliInput {
  /** Awaited before the console goes away. */
  readonly after?: () => Promise<unknown>;
}

const run = (argv: readonly string[], answers: readonly Answer[], { after, ...input }: Input = {}): Promise<CliRun> =>
  withConsole(answers, async (url) => {
    const ran = await runCli(argv, { ...input, env: { ADMIN_TOKEN: 'token', PUSHFLEET_URL: url } });
    await after?.();
    return ran;
  });

const words =
  (status: number, body: string): Answer =>
  (_req, res) =>
    void res.writeHead(status, { 'Retry-After': '0.05' }).end(body);

const PORTION = LIMITS.importRows.value;
const app = json(200, { hybrid: true });
const takenOf = (created: number, bad: readonly object[] = []): Answer =>
  json(200, { created, updated: 0, unchanged: 0, superseded: 0, bad, reach: [] });

/** A file of so many rows, the first of which says so. */
async function rowsFile(count: number): Promise<string> {
  const path = join(folder, `${count}.jsonl`);
  await writeFile(path, '{"is":"first"}\n'.concat('{}\n'.repeat(count - 1)));
  return path;
}
const importing = async (rows: number, ...more: string[]): Promise<string[]> => {
  const file = await rowsFile(rows);
  return ['import', 'installations', file, '--app', 'a', '--report', `${file}.rejected`, ...more];
};

describe('a proxy whose console is away', () => {
  it.each([
    [502, '<html>Bad Gateway</html>'],
    [503, ''],
    [504, 'upstream request timeout'],
    [502, '{"message":"no upstream"}'],
  ])('is asked again by an import: %i %j', async (status, body) => {
    const { code, out, err } = await run(await importing(1), [app, words(status, body), takenOf(1)]);
    expect({ code, out }).toEqual({ code: 0, out: '1 rows\n  1 new\n' });
    expect(err).toMatch(new RegExp(`^waiting: http://.* answered HTTP ${status}.*\n$`));
  });

  it.each([
    [500, '<html>Internal Server Error</html>'],
    [404, '<html>Not Found</html>'],
    [502, '{"code":502,"error":"in its own words"}'],
  ])('is not asked again for what will not pass: %i %j', async (status, body) => {
    const { code, err } = await run(await importing(1), [app, words(status, body)]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('stopped after row 0') });
  });
});

const waited = 'pushfleet: waiting: Redis has no memory left (HTTP 503)\n';

describe('what waits for an end', () => {
  it('goes on when an app is deleted', async () => {
    const removed = { pushes: 0, installations: 7, keys: 0 };
    const purge = { startedAt: '2026-01-01T00:00:00.000Z', pass: 1, step: 'pushes', percent: 50, removed };
    const answers = [json(200, {}), busy, busy, json(200, { id: 'a', purge }), busy, json(404, { error: 'none' })];
    const { code, out, err } = await run(['apps', 'delete', 'a', '--yes'], answers);
    expect({ code, out }).toEqual({ code: 0, out: 'deleted a\n' });
    expect(err).toBe(`${waited}pass 1, pushes 50 %: 7 installations, 0 pushes gone\n${waited}`);
  });

  it('goes on when a column is indexed', async () => {
    const index = (status: string): Answer => json(200, { column: 'c', status, declaredAt: 'now' });
    const { code, out, err } = await run(['indexes', 'add', 'a', 'c'], [index('building'), busy, index('ready')]);
    expect({ code, err }).toEqual({ code: 0, err: waited });
    expect(out).toMatch(/^status: +ready$/m);
  });

  it('goes on when secrets are sealed anew', async () => {
    const status = { keyId: 'k', writes: 'k', phase: 'required', counts: [], stale: 0, unreadable: 0 };
    const { code, err } = await run(['secrets', 'reseal'], [json(202, status), busy, json(200, status)]);
    expect({ code, err }).toEqual({ code: 0, err: waited });
  });

  it.each([
    [['secrets', 'reseal'], 'sealing goes on with any console that runs: see `pushfleet secrets status`'],
    [['indexes', 'add', 'a', 'c'], 'the dispatchers go on: see `pushfleet indexes list`'],
    [['apps', 'delete', 'a', '--yes'], 'the dispatchers go on deleting: see `pushfleet apps list`'],
  ])('and says what goes on without it when it gives up: %j', async (argv, goesOn) => {
    const away = json(503, { code: 503, error: 'Redis has no memory left' }, { 'Retry-After': '3600' });
    const { code, err } = await run(argv, [json(202, {}), away]);
    expect({ code, err }).toEqual({ code: 1, err: `pushfleet: Redis has no memory left (HTTP 503); ${goesOn}\n` });
  });
});

describe('an import of users', () => {
  it('waits for a console that cannot serve for a while, and sends the same lines again', async () => {
    const portion = LIMITS.importUserLines.value;
    const bodies: string[] = [];
    const cut: Answer = (req, _res, body) => {
      bodies.push(body);
      req.socket.destroy();
    };
    const taken: Answer = (req, res, body) => {
      bodies.push(body);
      const { lines } = JSON.parse(body) as { lines: unknown[] };
      json(200, { results: lines.map(() => ({ kind: 'user' })) })(req, res, body);
    };
    const stdin = `${JSON.stringify({ user_id: 'u' })}\n`.repeat(portion + 1);
    const { code, out, err } = await run(['import', 'users', '-'], [taken, busy, cut, taken], { stdin });
    expect({ code, out, err }).toEqual({ code: 0, out: `${portion + 1} users, 0 tokens\n`, err: waited });
    expect(bodies.slice(1)).toEqual([bodies[1], bodies[1]]);
  });

  it('does not wait for what will not pass, nor at the beginning', async () => {
    const stdin = '{}\n';
    for (const answer of [json(409, { error: 'another key' }), busy]) {
      const { code, err } = await run(['import', 'users', '-'], [answer], { stdin });
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('stopped after line 0; run it again') });
    }
  });
});

describe('an import that stops', () => {
  it('lets no other request go on', async () => {
    let ended = 0;
    const refusal = json(409, { error: 'the app is full' });
    const answer: Answer = (req, res, body) => {
      if (body.includes('first')) return void setTimeout(() => refusal(req, res, body), 300);
      res.on('close', () => (ended += 1));
    };
    const after = (): Promise<unknown> => until(() => ended === 2);
    const { code, out, err } = await run(await importing(3 * PORTION), [app, answer], { after });
    expect({ code, out }).toEqual({ code: 1, out: '0 rows\n' });
    expect(err).toContain('the app is full (HTTP 409)\nstopped after row 0');
  });

  it('tells what it has done when it is interrupted, and waits for no answer', async () => {
    let interrupt = (): void => undefined;
    const interrupted = new Promise<void>((resolve) => (interrupt = resolve));
    const first = takenOf(PORTION - 1, [{ index: 0, error: 'is no installation' }]);
    const answer: Answer = (req, res, body) => {
      if (body.includes('first')) first(req, res, body);
      else setTimeout(interrupt, 300);
    };
    const { code, out, err } = await run(await importing(2 * PORTION, '--json'), [app, answer], { interrupted });
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ rows: PORTION, created: PORTION - 1, bad: 1 });
    expect(err).toContain('interrupted\nstopped after row');
  });
});

it('an import that begins behind a row adds to what the run before rejected', async () => {
  const argv = await importing(2);
  const report = `${argv[2]}.rejected`;
  const bad = takenOf(0, [{ index: 0, error: 'is bad' }]);
  await run(argv, [app, bad]);
  const row = (number: number): string => `{"row":${number},"reason":"is bad"}\n`;
  await run([...argv, '--skip', '1'], [app, bad]);
  expect(await readFile(report, 'utf8')).toBe(`${row(1)}${row(2)}`);
  await run([...argv, '--skip', '0'], [app, bad]);
  expect(await readFile(report, 'utf8')).toBe(row(1));
});
