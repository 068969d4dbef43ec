import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardFiles, textOf } from './index';

const ROOT = join(__dirname, '../../..');
const FOLDER = join(ROOT, 'infra/grafana/dashboards');

interface DrawnPanel {
  readonly id?: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly thresholds?: { readonly steps: readonly unknown[] };
      readonly custom?: { readonly thresholdsStyle?: { readonly mode: string } };
    };
  };
  readonly options?: { readonly graphMode?: string };
  readonly targets?: readonly {
    readonly expr: string;
    readonly refId: string;
    readonly instant?: boolean;
    readonly range?: boolean;
  }[];
}

const drawn = dashboardFiles().map(({ file, dashboard }) => ({
  file,
  panels: ((dashboard.panels ?? []) as unknown as readonly DrawnPanel[]).filter(({ type }) => type !== 'row'),
}));
const panels = drawn.flatMap(({ file, panels: all }) =>
  all.map((panel) => ({ ...panel, name: `${file}: ${panel.title}` })),
);
const measured = panels.filter(({ type }) => type !== 'text');

test.each(dashboardFiles())('infra/grafana/dashboards/$file is current', (file) => {
  expect(readFileSync(join(FOLDER, file.file), 'utf8')).toBe(textOf(file));
});

test('no other dashboard is left lying there', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(drawn.map(({ file }) => file).sort());
});

test('every panel asks a question', () => {
  expect(panels.filter(({ title }) => !title.endsWith('?')).map(({ name }) => name)).toEqual([]);
});

test('every panel has a unit, and says in a sentence what to do', () => {
  const lacking = measured.filter(
    ({ description = '', fieldConfig }) => !/^\S.*\.$/.test(description) || !fieldConfig?.defaults.unit,
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test('a graph draws the line from which on it is bad, which Grafana does not do unasked', () => {
  const graphs = measured.filter(({ type }) => type === 'timeseries');
  const bounded = graphs.filter(({ fieldConfig }) => (fieldConfig?.defaults.thresholds?.steps ?? []).length > 1);
  const drawnLines = graphs.filter(({ fieldConfig }) => fieldConfig?.defaults.custom?.thresholdsStyle?.mode === 'line');
  expect(bounded.length).toBeGreaterThan(5);
  expect(drawnLines.map(({ name }) => name)).toEqual(bounded.map(({ name }) => name));
});

test('a number is that of now: asked for a range, Grafana shows the last one of what has ended', () => {
  const numbers = measured.filter(({ type }) => type === 'stat');
  expect(numbers.length).toBeGreaterThan(5);
  for (const { targets = [], options } of numbers)
    expect([options?.graphMode, ...targets.map(({ instant, range }) => [instant, range])]).toEqual([
      'none',
      ...targets.map(() => [true, false]),
    ]);
});

test('a backlog is drawn beside the limit that operators set for it', () => {
  const drawnOf = (title: string) =>
    panels.filter((panel) => panel.title === title).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(drawnOf('How long have direct pushes waited?')).toContain('pushfleet:direct_age_limit_seconds');
  expect(drawnOf('How long have campaigns waited?')).toContain('pushfleet:bulk_age_limit_seconds');
});

test('every query of a panel has a name of its own', () => {
  const wrong = measured.filter(
    ({ targets = [] }) => new Set(targets.map(({ refId }) => refId)).size !== targets.length,
  );
  expect([wrong, measured.filter(({ targets = [] }) => targets.length === 0)]).toEqual([[], []]);
});

/** Metrics of the apps with the series that histograms have, Prometheus' own, and what the recording rules make. */
function knownMetrics(): ReadonlySet<string> {
  const metrics = [...readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8').matchAll(/^\| `(pushfleet_\w+)`/gm)];
  const rules = readFileSync(join(ROOT, 'infra/prometheus/rules/recording.yml'), 'utf8');
  const recorded = [...rules.matchAll(/record: (\S+)/g)].map(([, name = '']) => name);
  const own = metrics.flatMap(([, name = '']) => [
    name,
    ...['bucket', 'sum', 'count'].map((part) => `${name}_${part}`),
  ]);
  return new Set([...own, ...recorded, 'up', 'ALERTS']);
}

test('every metric in a panel exists', () => {
  const known = knownMetrics();
  const used = measured.flatMap(({ name, targets = [] }) =>
    targets.flatMap(({ expr }) =>
      [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/[\w:]*pushfleet[\w:]*|\bup\b|\bALERTS\b/g)].map(([metric]) => ({
        name,
        metric,
      })),
    ),
  );
  expect(used.length).toBeGreaterThan(panels.length - 1);
  expect(used.filter(({ metric }) => !known.has(metric))).toEqual([]);
});
