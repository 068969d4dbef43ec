const { table } = require('./markdown-table.cjs');

const INTRO = `# Metrics

Every process serves \`/metrics\` on \`METRICS_PORT\`, in the text format of Prometheus. Each series carries \`service\`, the app
that it comes from. Labels have few values: no app, push, installation or user is ever one.

- A **counter** starts at 0 with its process; a **gauge** is the value now; a **histogram** has buckets, \`_sum\` and \`_count\`.
- Durations are in seconds, sizes in bytes.
- **What belongs to no single process is measured by one.** Of all dispatchers, the one that holds a lease in Redis measures
  queues, open pushes and Redis every \`WATCH_INTERVAL_MS\`; the others export none of these gauges, and when it dies another
  takes over within a few intervals. Ask for \`max\`, not \`sum\`: during a change two may be in sight.
- The **age of the oldest push** is read from the push records, not from jobs: it counts a push whose job waits, runs, is
  delayed by a vendor's outage, or was lost. A channel's workers are scaled by it. The watcher looks at every push once, at
  the oldest of each queue in every round, and at up to 400 open pushes in each of the 256 shards of records.
- **Records that do not add up** are looked for among the open pushes and the newest 50 of every app, some apps in each
  round; the ids of the wrong ones are in the log of the dispatcher.
- A process that is given \`TLS_CERT_FILE\` also tells when its certificate runs out, in seconds since the epoch:
  \`pushfleet_certificate_expires_seconds\`, a gauge.

The rules and alerts made from these metrics are in \`infra/prometheus/rules\`, the dashboards in \`infra/grafana\`, and what to
do about an alert in \`docs/operate.md\`.

This page is written by \`npm run build && node scripts/write-metrics.mjs\` from what the apps register.
`;

const PROCESS = /^pushfleet_(process|nodejs)_/;

const code = (text) => `\`${text}\``;
const escaped = (text) => text.replaceAll('|', '\\|');

/** Metrics by name, each with the apps that export it. */
function byName(apps) {
  const found = new Map();
  for (const { app, metrics } of apps) {
    for (const metric of metrics) {
      const known = found.get(metric.name) ?? { ...metric, apps: [] };
      found.set(metric.name, { ...known, apps: [...known.apps, app] });
    }
  }
  return [...found.values()];
}

const row = ({ name, type, labels, help }) => [
  code(name),
  type,
  labels.length === 0 ? '–' : labels.map(code).join(', '),
  escaped(help),
];
const HEAD = ['metric', 'type', 'labels', 'meaning'];

/** `docs/metrics.md`: every metric once. `apps` is a list of `{app, metrics: [{name, type, help, labels}]}`. */
function metricsPage(apps) {
  const all = byName(apps);
  const ours = all.filter(({ name }) => !PROCESS.test(name));
  const shared = ours.filter((metric) => metric.apps.length > 1);
  const sections = apps.flatMap(({ app }) => {
    const own = ours.filter((metric) => metric.apps.length === 1 && metric.apps[0] === app);
    return own.length === 0 ? [] : [`## ${app}\n\n${table(HEAD, own.map(row))}\n`];
  });
  const sharedRows = shared.map((metric) => [...row(metric), metric.apps.join(', ')]);
  const ofProcess = all
    .filter(({ name }) => PROCESS.test(name))
    .map((metric) => [code(metric.name), escaped(metric.help)]);
  return [
    INTRO,
    ...sections,
    `## Of several apps\n\n${table([...HEAD, 'exported by'], sharedRows)}\n`,
    `## Of every process\n\n${table(['metric', 'meaning'], ofProcess)}\n`,
  ].join('\n');
}

module.exports = { metricsPage };
