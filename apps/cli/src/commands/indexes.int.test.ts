import { cliHarness } from '../testing/cli-harness';

const { cli, json, anApp } = cliHarness();

describe('indexes', () => {
  it('adds one, shows how far it is, and removes it', async () => {
    const app = await anApp();
    const building = { column: 'user', status: 'building', progress: { done: 0, of: 256 } };
    expect(await json(['indexes', 'add', app, 'user', '--no-wait'])).toMatchObject(building);
    expect((await cli(['indexes', 'list', app])).out).toMatch(/^user +building +0 of 256/m);
    expect((await cli(['indexes', 'show', app, 'user'])).out).toMatch(/^progress: +0 of 256$/m);
    expect(await json(['indexes', 'remove', app, 'user'])).toMatchObject({ status: 'removing' });
    expect((await cli(['indexes', 'add', app, 'user', '--no-wait'])).err).toContain('is being removed');
  });

  it('says why a column is not indexed', async () => {
    const { code, err } = await cli(['indexes', 'add', await anApp(), 'channels']);
    expect([code, err]).toEqual([1, expect.stringContaining('has an index of its own')]);
  });
});
