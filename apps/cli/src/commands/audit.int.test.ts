import { cliHarness } from '../testing/cli-harness';

const { cli } = cliHarness();

it('lists what was changed, the newest first, and how to see more', async () => {
  const { out } = await cli(['apps', 'create', 'Shop', '--edition', 'commercial', '--json']);
  const { id, masterKey } = JSON.parse(out) as { id: string; masterKey: string };
  await cli(['apps', 'update', id, '--hybrid', 'on']);
  await cli(['channels', 'pause', 'mi', '--app', id]);
  const newest = await cli(['audit', '--limit', '2']);
  expect(newest.code).toBe(0);
  const lines = newest.out.split('\n');
  expect(lines[0]).toMatch(/^AT +BY +FROM +ACTION +TARGET +CHANGES$/);
  expect(lines[1]).toMatch(/^20\d\d-\S+Z +admin-token +\S+ +pauseChannel +\/channels\/mi\/pause +app: null → /);
  expect(lines[2]).toContain(`changeApp`);
  expect(lines[2]).toContain('hybrid: false → true');
  const [, cursor = ''] = /^More: pushfleet audit --cursor (\S+)$/m.exec(newest.out) ?? [];
  const older = await cli(['audit', '--limit', '1', '--cursor', cursor]);
  expect(older.out).toContain('createApp');
  expect(newest.out + older.out).not.toContain(masterKey);
});

it('prints the answer as it came on demand, and refuses what is no number', async () => {
  const { out } = await cli(['audit', '--json']);
  expect(JSON.parse(out)).toMatchObject({ results: expect.any(Array) });
  expect((await cli(['audit', '--limit', 'all'])).code).toBe(2);
});
