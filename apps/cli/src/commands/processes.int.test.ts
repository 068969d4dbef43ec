import { until } from '@pushfleet/testing';
import { cliHarness } from '../testing/cli-harness';

const { cli } = cliHarness();

it('lists who lives: at least the console that answers', async () => {
  const shown = await until(async () => {
    const { code, out } = await cli(['processes']);
    expect(code).toBe(0);
    if (!out.includes('console')) throw new Error(out);
    return out;
  });
  expect(shown).toMatch(/^ROLE +CHANNEL +VERSION +KEY +SINCE +PROCESS$/m);
  expect(shown).toMatch(/^console +- +\d+\.\d+\.\d+ +[\w-]{6} +20\d\d-.*Z +\S+$/m);
});

it('prints the answer as it came on demand', async () => {
  const { out } = await cli(['processes', '--json']);
  const { results } = JSON.parse(out) as { results: { role: string }[] };
  expect(results.map(({ role }) => role)).toContain('console');
});
