import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMetrics, type Metrics } from '@pushfleet/service-kit';

const ROOT = join(__dirname, '../../..');

interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}
interface DescribedApp {
  readonly app: string;
  readonly metrics: readonly DescribedMetric[];
}
type Register = (metrics: Metrics) => unknown;
interface Scripts {
  metricsPage(apps: readonly DescribedApp[]): string;
  onlyFunction(exported: object, file: string): Register;
  registeredMetrics(
    app: string,
    how: { openMetrics: typeof openMetrics; register: Register },
  ): Promise<readonly DescribedMetric[]>;
}

const apps = readdirSync(join(ROOT, 'apps'))
  .sort()
  .filter((app) => existsSync(join(ROOT, 'apps', app, 'src/metrics.ts')));

const script = async (name: string) => (await import(join(ROOT, 'scripts', name))) as Scripts;

async function describeApp(app: string): Promise<DescribedApp> {
  const file = join(ROOT, 'apps', app, 'src/metrics');
  const { onlyFunction, registeredMetrics } = await script('registered-metrics.cjs');
  const register = onlyFunction((await import(file)) as object, file);
  return { app, metrics: await registeredMetrics(app, { openMetrics, register }) };
}

const described = Promise.all(apps.map(describeApp));
const all = async (): Promise<readonly DescribedMetric[]> => (await described).flatMap(({ metrics }) => metrics);

test('docs/metrics.md is what the apps register', async () => {
  const { metricsPage } = await script('metrics-page.cjs');
  expect(readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')).toBe(metricsPage(await described));
});

test('every metric is named for what it counts, in base units', async () => {
  const misnamed = (await all()).filter(({ name, type }) => {
    if (/^pushfleet_(process|nodejs)_/.test(name)) return false;
    const isCounter = type === 'counter';
    return (
      !/^pushfleet_[a-z0-9_]+$/.test(name) || isCounter !== name.endsWith('_total') || /_(ms|millis|kb|mb)\b/.test(name)
    );
  });
  expect(misnamed.map(({ name }) => name)).toEqual([]);
});

/** Each has a few dozen values at most, whoever uses the fleet. */
const BOUNDED = new Set([
  ...[
    'channel',
    'outcome',
    'event',
    'reason',
    'result',
    'code',
    'queue',
    'state',
    'to',
    'route',
    'status',
    'kind',
    'node',
  ],
  ...['subprotocol', 'command', 'le', 'type', 'space', 'role', 'version', 'major', 'minor', 'patch'],
]);

test('no label stands for an app, a push, an installation or a user', async () => {
  const unbounded = (await all()).flatMap(({ name, labels }) =>
    labels.filter((label) => !BOUNDED.has(label)).map((label) => `${name}{${label}}`),
  );
  expect(unbounded).toEqual([]);
});

test('a metric that several apps export means the same everywhere', async () => {
  const meanings = new Map<string, Set<string>>();
  for (const { name, help, labels } of await all())
    meanings.set(name, (meanings.get(name) ?? new Set()).add(`${help} ${labels.join()}`));
  expect([...meanings].filter(([, said]) => said.size > 1)).toEqual([]);
});
