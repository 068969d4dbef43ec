import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeConfig, misspelledSettings, type ConfigVariable } from '@pushfleet/service-kit';

type Schema = Parameters<typeof describeConfig>[0];

const ROOT = join(__dirname, '../../..');

interface DescribedApp {
  readonly app: string;
  readonly variables: readonly ConfigVariable[];
}

type PageWriter = { configurationPage(apps: readonly DescribedApp[]): string };

const appsWithConfig = readdirSync(join(ROOT, 'apps'))
  .sort()
  .filter((app) => existsSync(join(ROOT, 'apps', app, 'src/config.ts')));

async function schemaOf(app: string): Promise<Schema> {
  const { configSchema } = (await import(join(ROOT, 'apps', app, 'src/config'))) as { configSchema: Schema };
  return configSchema;
}

const describeApp = async (app: string): Promise<DescribedApp> => ({
  app,
  variables: describeConfig(await schemaOf(app)),
});

const described = Promise.all(appsWithConfig.map(describeApp));

test.each(appsWithConfig)('every variable of %s is described in a sentence', async (app) => {
  const variables = (await described).find((entry) => entry.app === app)?.variables ?? [];
  expect(variables.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
});

test.each(appsWithConfig)('no setting of another app is told as a misspelled one of %s', async (app) => {
  const names = (await described).flatMap(({ variables }) => variables.flatMap(({ name }) => [name, `${name}_FILE`]));
  const told = misspelledSettings(await schemaOf(app), Object.fromEntries(names.map((name) => [name, 'x'])));
  expect(told).toEqual([]);
});

test('docs/configuration.md is what the schemas say', async () => {
  const { configurationPage } = (await import(join(ROOT, 'scripts/configuration-page.cjs'))) as PageWriter;
  expect(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')).toBe(configurationPage(await described));
});
