import { DESCRIBED_REASONS } from '@pushfleet/domain';
import { runCli } from '../testing/run-cli';

it('lists every reason, without a console', async () => {
  const { code, out } = await runCli(['reasons'], { env: {} });
  expect(code).toBe(0);
  for (const { reason, means } of DESCRIBED_REASONS) {
    expect(out).toContain(`${reason} `);
    expect(out).toContain(means);
  }
});

it('says of one what it means and what to do', async () => {
  const { out } = await runCli(['reasons', 'registration-gone'], { env: {} });
  expect(out).toMatch(/^what to do: +Nothing here\. The device is reached again when the app saves a new/m);
  expect(out).toMatch(/^audience: +the device leaves it/m);
});

it('tells both meanings of a word that has two', async () => {
  const { out } = await runCli(['reasons', 'quota-exceeded', '--json'], { env: {} });
  const { results } = JSON.parse(out) as { results: readonly { kind: string }[] };
  expect(results.map(({ kind }) => kind)).toEqual(['discarded', 'waiting']);
});
