/**
 * What an app registers, in the order it does. `register` is the one function that its `metrics.ts` exports; what is only read
 * when scraped is not called.
 */
async function registeredMetrics(app, { openMetrics, register }) {
  const metrics = openMetrics(app);
  register(metrics);
  return metrics.registry.getMetricsAsArray().map(({ name, help, type, labelNames }) => ({
    name,
    help,
    type,
    labels: [...labelNames],
  }));
}

/** The one function that a module exports. */
function onlyFunction(exported, file) {
  const functions = Object.values(exported).filter((value) => typeof value === 'function');
  if (functions.length !== 1) throw new Error(`${file} must export one function that registers all metrics of its app`);
  return functions[0];
}

module.exports = { onlyFunction, registeredMetrics };
