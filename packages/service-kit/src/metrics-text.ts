import type { Registry } from 'prom-client';

/** The two lines that say what a metric is. */
const HEADER_LINES = 2;

/**
 * What several registries hold as one text. Services have metrics in common: the format wants all samples of a metric together,
 * and its meaning once.
 */
export async function metricsText(registries: readonly Registry[]): Promise<string> {
  const [only, ...others] = registries;
  if (only !== undefined && others.length === 0) return only.metrics();
  const names = new Set(registries.flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)));
  const blocks = await Promise.all([...names].map((name) => blockOf(name, registries)));
  return `${blocks.join('\n\n')}\n`;
}

async function blockOf(name: string, registries: readonly Registry[]): Promise<string> {
  const holders = registries.filter((registry) => registry.getSingleMetric(name) !== undefined);
  const texts = await Promise.all(holders.map((registry) => registry.getSingleMetricAsString(name)));
  const [first = '', ...rest] = texts;
  return [first, ...rest.flatMap((text) => text.split('\n').slice(HEADER_LINES))].join('\n');
}
