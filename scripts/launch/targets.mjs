import { writeFile } from 'node:fs/promises';

/** Where the metrics of every process are, as Prometheus reads it (`file_sd_configs`). */
export function writeTargets(path, metrics) {
  const groups = Object.entries(metrics).map(([service, url]) => ({
    targets: [new URL(url).host],
    labels: { compose_service: service },
  }));
  return writeFile(path, `${JSON.stringify(groups, null, 2)}\n`);
}
