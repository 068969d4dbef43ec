import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, withConsole } from './testing/fake-console';
import { runCli, type CliRun } from './testing/run-cli';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'pushfleet-export-'))));
afterEach(() => rm(folder, { recursive: true }));

/** With how often the console was asked. */
async function exporting(out: string): Promise<CliRun & { readonly asked: number }> {
  let asked = 0;
  const page = json(200, { results: [{ objectId: 'a' }], total: 1 });
  const ran = await withConsole([(...of) => ((asked += 1), page(...of))], (url) =>
    runCli(['export', 'installations', '--app', 'a', '--out', out], {
      env: { ADMIN_TOKEN: 'token', PUSHFLEET_URL: url },
    }),
  );
  return { ...ran, asked };
}

it.each([
  ['a directory', 'there', 'EISDIR'],
  ['a file beneath a file', 'file/out.jsonl', 'ENOTDIR'],
  ['a folder that is not there', 'nowhere/out.jsonl', 'ENOENT'],
])('asks for nothing when it could not be written: %s', async (_name, where, reason) => {
  await mkdir(join(folder, 'there'));
  await writeFile(join(folder, 'file'), 'as before');
  const out = join(folder, where);
  const err = `pushfleet: ${out}: cannot be written (${reason})\n`;
  expect(await exporting(out)).toEqual({ code: 2, out: '', err, asked: 0 });
  expect((await readdir(folder)).sort()).toEqual(['file', 'there']);
});

/** Linux alone has a disk that is always full. */
const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('names the file that a full disk did not take', async () => {
  const out = join(folder, 'out.jsonl');
  await symlink('/dev/full', `${out}.part`);
  expect(await exporting(out)).toMatchObject({ code: 2, err: `pushfleet: ${out}: cannot be written (ENOSPC)\n` });
  expect(await readdir(folder)).toEqual([]);
});

onLinux.each([
  ['/dev/null', { code: 0, err: '' }],
  ['/dev/full', { code: 2, err: expect.stringContaining('cannot be written (ENOSPC)') as string }],
])('writes to a device without taking its place: %s', async (device, ran) => {
  const out = join(folder, 'device');
  await symlink(device, out);
  expect(await exporting(out)).toMatchObject(ran);
  expect(await readlink(out)).toBe(device);
});

it('writes in the place of an older file', async () => {
  const out = join(folder, 'out.jsonl');
  await writeFile(out, 'old');
  expect(await exporting(out)).toMatchObject({ code: 0, out: '1 installations\n' });
  expect(await readFile(out, 'utf8')).toBe('{"objectId":"a"}\n');
});
