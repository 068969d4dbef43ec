import { SHARDS } from '@pushfleet/store';
import { countCommands } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

let now = Date.now();
const admin = consoleHarness({ ports: { now: () => now } });
const { call } = admin;

it('who asks again and again whom a push would reach makes Redis count the devices once a second', async () => {
  const { body } = await call('POST', '/apps', { name: 'Asked', edition: 'commercial' });
  const app = String(body['id']);
  const rows = [{ objectId: 'o1', installationId: 'i1', deviceType: 'android' }];
  await call('POST', `/apps/${app}/installations/import`, { rows });
  const commands = await countCommands(admin.redis, admin.namespace);
  const scriptsOf = async (calls: number): Promise<number> => {
    const sent = await commands.during(async () => {
      const answers = await Promise.all(Array.from({ length: calls }, () => call('GET', `/apps/${app}/reach`)));
      for (const answer of answers) expect(answer.body).toMatchObject({ reachable: 1 });
    });
    return Math.round(sent.filter((name) => name === 'evalsha').length / SHARDS);
  };
  try {
    expect([await scriptsOf(5), await scriptsOf(5)]).toEqual([1, 0]);
    now += 1001;
    expect(await scriptsOf(5)).toBe(1);
  } finally {
    commands.close();
  }
});
