import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { unique, until } from '@pushfleet/testing';
import { serialize } from 'bson';
import { cliHarness } from '../testing/cli-harness';
import { busy, json, withConsole, type Answer } from '../testing/fake-console';
import type { CliRun } from '../testing/run-cli';

const { cli, anApp, aFile, aPath, environment } = cliHarness();

const recently = new Date(Date.now() - 86_400_000).toISOString();
const aRow = (fields: object = {}): Record<string, unknown> => ({
  objectId: unique('o'),
  installationId: unique('i'),
  deviceType: 'android',
  valid: true,
  vendor: 'HMS',
  registrationId: unique('r'),
  channels: ['news'],
  createdAt: recently,
  updatedAt: recently,
  ...fields,
});
const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const importing = (app: string, file: string, ...more: string[]): Promise<CliRun> =>
  cli(['import', 'installations', file, '--app', app, '--report', `${file}.rejected`, ...more]);
async function imported(app: string, file: string, ...more: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await importing(app, file, '--json', ...more)).out) as Record<string, unknown>;
}
const exported = async (app: string): Promise<string> => (await cli(['export', 'installations', '--app', app])).out;

const parsed = (lines: string): readonly Record<string, unknown>[] =>
  lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
const byObjectId = (rows: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] =>
  [...rows].sort((a, b) => (String(a['objectId']) < String(b['objectId']) ? -1 : 1));

describe('import installations', () => {
  it.each([
    ['an array', (rows: readonly object[]) => Buffer.from(JSON.stringify(rows, null, 1))],
    ['lines', (rows: readonly object[]) => Buffer.from(jsonLines(rows))],
    ['BSON', (rows: readonly object[]) => Buffer.concat(rows.map((row) => serialize(row)))],
    ['gzip', (rows: readonly object[]) => gzipSync(jsonLines(rows))],
  ])('takes over every row of %s, and the same again changes nothing', async (_name, spelled) => {
    const app = await anApp();
    const rows = Array.from({ length: 3000 }, (_, n) => aRow({ n, text: '中文' }));
    const file = await aFile(spelled(rows));
    expect(await imported(app, file)).toMatchObject({ rows: 3000, created: 3000, bad: 0 });
    const once = await exported(app);
    expect(byObjectId(parsed(once))).toEqual(byObjectId(rows));
    expect(await imported(app, file)).toMatchObject({ created: 0, unchanged: 3000 });
    expect(await exported(app)).toBe(once);
  });

  it('tells at the end what would be reached, and why the rest would not', async () => {
    const app = await anApp();
    const rows = [aRow(), aRow({ vendor: 'fcm' }), aRow({ vendor: undefined }), aRow({ deviceProfile: 'game' })];
    const { code, out } = await importing(app, await aFile(jsonLines(rows)));
    expect(code).toBe(0);
    expect(out).toMatch(/^4 rows\n {2}4 new\n/);
    expect(out).toMatch(/^HMS +2 +0$/m);
    expect(out).toMatch(/^none +1 +1$/m);
    expect(out).toMatch(/^fcm +vendor-unknown +1 +there is no channel/m);
    expect(out).toMatch(/^HMS +profile-missing +1 +no profile "game"/m);
    expect(out).toContain('1 without a vendor');
    expect(out).toContain('Hybrid is off');
  });

  it.each([[], ['--dry-run']])(
    'says that rows are counted as they come, and what tells of the end (%s)',
    async (...more) => {
      const app = await anApp();
      const { out } = await importing(app, await aFile(jsonLines([aRow()])), ...more);
      expect(out).toMatch(/^VENDOR +ROWS +REACHABLE$/m);
      expect(out).toContain('a row still counts when a later one of the file replaces it or takes its registrationId');
      const told = `What the app has in the end: "pushfleet apps reach ${app}".`;
      if (more.length === 0) expect(out).toContain(told);
      else expect(out).not.toContain(told);
    },
  );

  it('stores nothing in a dry run', async () => {
    const app = await anApp();
    const { code, out } = await importing(app, await aFile(jsonLines([aRow()])), '--dry-run');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('1 rows, nothing was stored') });
    expect(await exported(app)).toBe('');
  });

  it('reads standard input for -, and tells its bad rows on standard error', async () => {
    const app = await anApp();
    const stdin = gzipSync(jsonLines([aRow(), aRow({ registrationId: 'a,b' }), aRow()]));
    const { code, out, err } = await cli(['import', 'installations', '-', '--app', app, '--json'], { stdin });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ rows: 3, created: 2, bad: 1 });
    expect(parsed(err.split('\n')[0] ?? '')).toEqual([expect.objectContaining({ row: 2 })]);
    expect(err).toContain('1 row(s) were left out: see above');
  });

  it.each([
    ['a folder that is not there', 'no-such-folder/rejected.jsonl', 'ENOENT'],
    ['a directory', '.', 'EISDIR'],
    ['a file beneath a file', 'a-file/rejected.jsonl', 'ENOTDIR'],
  ])('stores nothing when its bad rows could not be told where they shall be: %s', async (_, where, code2) => {
    const app = await anApp();
    const folder = aPath();
    await mkdir(folder);
    await writeFile(join(folder, 'a-file'), '');
    const report = join(folder, where);
    const file = await aFile(jsonLines([aRow(), aRow({ registrationId: 'a,b' })]));
    const { code, err } = await cli(['import', 'installations', file, '--app', app, '--report', report]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(new RegExp(`^[^\n]*${report}: bad rows cannot be told there \\(${code2}\\)[^\n]*\n$`)),
    });
    expect(await exported(app)).toBe('');
  });

  it('tells bad rows in a report, and takes over the others', async () => {
    const app = await anApp();
    const bad = aRow({ registrationId: 'a,b' });
    const file = await aFile(`${jsonLines([aRow()])}\n{"objectId": \n${jsonLines([bad, aRow()])}`);
    const { code, err, out } = await importing(app, file, '--json');
    expect(code).toBe(1);
    expect(err).toContain('2 row(s) were left out: see ');
    expect(JSON.parse(out)).toMatchObject({ rows: 4, created: 2, bad: 2, report: `${file}.rejected` });
    const report = (await readFile(`${file}.rejected`, 'utf8')).trim().split('\n');
    expect(report.map((line) => JSON.parse(line) as unknown)).toEqual(
      expect.arrayContaining([
        { row: 3, reason: 'is not JSON' },
        { row: 4, objectId: bad['objectId'], reason: expect.stringContaining('registrationId') },
      ]),
    );
  });

  it('takes what can be read of a gzipped file that is cut off, and fails', async () => {
    const app = await anApp();
    const rows = Array.from({ length: 500 }, () => aRow());
    const whole = gzipSync(jsonLines(rows));
    const file = await aFile(whole.subarray(0, whole.length - 20));
    const { code, out, err } = await importing(app, file, '--json');
    const { created, bad } = JSON.parse(out) as { readonly created: number; readonly bad: number };
    expect({ code, bad }).toEqual({ code: 1, bad: 0 });
    expect(created).toBeGreaterThan(100);
    expect(err).toBe(
      `pushfleet: ${file}: the gzip data ends in the middle: the file is cut off here (after row ${created}); what follows is missing\n`,
    );
  });

  it('says what is missing of a file that is cut off, also when every row of it is left out by --skip', async () => {
    const app = await anApp();
    const file = await aFile(`[${JSON.stringify(aRow())},{"objectId":`);
    const says = `pushfleet: ${file}: the file ends in the middle: it is cut off or damaged here (after row 1); what follows is missing\n`;
    const first = await importing(app, file, '--json');
    expect([first.code, JSON.parse(first.out), first.err]).toEqual([
      1,
      expect.objectContaining({ rows: 1, bad: 0 }),
      says,
    ]);
    expect(await importing(app, file, '--skip', '5')).toEqual({
      ...{ code: 1, out: expect.stringMatching(/^0 rows\n/), err: says },
    });
  });

  it('says that lines are cut off, and tells no bad row', async () => {
    const app = await anApp();
    const file = await aFile(`${jsonLines([aRow(), aRow()])}\n{"objectId": "x`);
    const { code, out, err } = await importing(app, file, '--json');
    expect({ code, summary: JSON.parse(out) as unknown }).toEqual({
      code: 1,
      summary: expect.objectContaining({ rows: 2, created: 2, bad: 0 }),
    });
    expect(err).toBe(
      `pushfleet: ${file}: the file ends in the middle of a row: it is cut off or damaged here (after row 2); what follows is missing\n`,
    );
  });

  it('leaves out what it is told to', async () => {
    const app = await anApp();
    const rows = [aRow(), aRow(), aRow()];
    expect(await imported(app, await aFile(jsonLines(rows)), '--skip', '2')).toMatchObject({ rows: 1, created: 1 });
    expect(await exported(app)).toContain(String(rows[2]?.['objectId']));
  });

  it('ends with 130 when it is interrupted, and says how to go on', async () => {
    const app = await anApp();
    const file = await aFile(jsonLines(Array.from({ length: 20_000 }, () => aRow())));
    const { code, err } = await cli(['import', 'installations', file, '--app', app], {
      interrupted: Promise.resolve(),
    });
    expect(code).toBe(130);
    expect(err).toMatch(/interrupted\nstopped after row \d+; run the same command again to go on/);
  });

  it('ends with 130 when it is interrupted while a pipe says nothing', async () => {
    const loader = ['--conditions=source', '--require', resolve(__dirname, '../testing/run-typescript.cjs')];
    const command = ['import', 'installations', '-', '--app', await anApp()];
    const child = spawn(process.execPath, [...loader, resolve(__dirname, '../main.ts'), ...command], {
      env: { PATH: process.env['PATH'], ...environment() },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const left = once(child, 'close');
    let [err, isTaken] = ['', false];
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    // More than a pipe holds: when it is written, the command is at work.
    child.stdin.write(jsonLines(Array.from({ length: 4000 }, () => aRow())), () => (isTaken = true));
    await until(() => isTaken);
    child.kill('SIGINT');
    expect([await left, err]).toEqual([[130, null], expect.stringMatching(/interrupted\nstopped after row \d+/)]);
  });

  it.each([
    ['a missing file', '/nowhere/export.json', 'ENOENT'],
    ['a directory', '/tmp', 'is a directory'],
  ])('refuses %s', async (_name, file, message) => {
    expect(await importing(await anApp(), file)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  it('refuses a file of another kind', async () => {
    const app = await anApp();
    const kinds = [
      ['', 'is empty'],
      ['a;b;c\n', 'neither a JSON array'],
    ] as const;
    for (const [content, message] of kinds)
      expect(await importing(app, await aFile(content))).toMatchObject({
        code: 2,
        err: expect.stringContaining(message),
      });
  });

  it('refuses an app that does not exist', async () => {
    const { code, err } = await importing('nobody', await aFile(jsonLines([aRow()])));
    expect({ code, err }).toEqual({ code: 1, err: 'pushfleet: there is no app "nobody" (HTTP 404)\n' });
  });

  it('refuses a wrong token', async () => {
    const env = { ADMIN_TOKEN: 'wrong' };
    const argv = ['import', 'installations', await aFile(jsonLines([aRow()])), '--app', 'a'];
    expect(await cli(argv, { env })).toMatchObject({ code: 1, err: expect.stringContaining('token was rejected') });
  });
});

describe('a console that cannot serve for a while', () => {
  const taken = json(200, { created: 1, updated: 0, unchanged: 0, superseded: 0, bad: [], reach: [] });

  it('is waited for as long as it asks', async () => {
    const cut: Answer = (req) => req.socket.destroy();
    await withConsole([json(200, { hybrid: true }), busy, busy, cut, taken], async (url) => {
      const argv = ['import', 'installations', await aFile(jsonLines([aRow()])), '--app', 'a'];
      const { code, out, err } = await cli(argv, { env: { PUSHFLEET_URL: url } });
      expect({ code, out }).toEqual({ code: 0, out: '1 rows\n  1 new\n' });
      expect(err).toBe('waiting: Redis has no memory left (HTTP 503)\n');
    });
  });

  it('is not waited for at the beginning', async () => {
    await withConsole([busy], async (url) => {
      const argv = ['import', 'installations', await aFile(jsonLines([aRow()])), '--app', 'a'];
      expect(await cli(argv, { env: { PUSHFLEET_URL: url } })).toMatchObject({
        code: 1,
        err: expect.stringContaining('Redis has no memory left'),
      });
    });
  });
});

describe('export installations', () => {
  it('writes a file that makes an equal app of another one', async () => {
    const [from, to] = [await anApp(), await anApp()];
    const rows = Array.from({ length: 2500 }, (_, n) => aRow({ n, custom: { deep: ['中', null] } }));
    await imported(from, await aFile(jsonLines(rows)));
    const out = aPath();
    expect(await cli(['export', 'installations', '--app', from, '--out', out])).toMatchObject({
      code: 0,
      out: '2,500 installations\n',
    });
    expect(await imported(to, out)).toMatchObject({ created: 2500, bad: 0 });
    expect(await exported(to)).toBe(await readFile(out, 'utf8'));
  });

  it('leaves no file behind when it fails', async () => {
    const out = aPath();
    expect((await cli(['export', 'installations', '--app', 'nobody', '--out', out])).code).toBe(1);
    await expect(readFile(out)).rejects.toThrow('ENOENT');
    await expect(readFile(`${out}.part`)).rejects.toThrow('ENOENT');
  });

  it('refuses a place that cannot be written', async () => {
    const argv = ['export', 'installations', '--app', 'a', '--out', '/nowhere/out.jsonl'];
    expect(await cli(argv)).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
  });
});
