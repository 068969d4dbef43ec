import { mastersOf } from './connect-test-redis';
import { countCommands } from './count-commands';
import { redisHarness } from './redis-harness';

const harness = redisHarness();
const SENT = 5000;

it('counts the commands of each node, though the lines of a busy one are read after those of the others', async () => {
  const redis = await harness.open();
  const commands = await countCommands(redis, harness.namespace);
  const text = `${harness.namespace}${'x'.repeat(500)}`;
  try {
    for (const busy of mastersOf(redis)) {
      const sent = await commands.during(() => Promise.all(Array.from({ length: SENT }, () => busy.echo(text))));
      expect(sent).toHaveLength(SENT);
    }
  } finally {
    commands.close();
  }
});
