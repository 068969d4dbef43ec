import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const UNIT = readFileSync(join(ROOT, 'infra/systemd/pushfleet.service'), 'utf8');

test('the unit runs what the command line tool installs, and waits longer than the process drains', () => {
  const [, file = ''] = /^ExecStart=\/usr\/bin\/node \/opt\/pushfleet\/(\S+) serve$/m.exec(UNIT) ?? [];
  const manifest = JSON.parse(readFileSync(join(ROOT, 'apps/cli/package.json'), 'utf8')) as {
    bin: { pushfleet: string };
  };
  expect(file).toBe(join('apps/cli', manifest.bin.pushfleet));
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(UNIT)?.[1])).toBeGreaterThan(30);
});

test('the guide names the port of its metrics, which is not that of the exporter of the machine', () => {
  const port = /METRICS_PORT=(\d+)$/m.exec(UNIT)?.[1];
  expect(port).not.toBe('9100');
  expect(readFileSync(join(ROOT, 'docs/operate.md'), 'utf8')).toContain(`Metrics and probes are on port ${port} there`);
});

test('systemd, where it is there, finds nothing wrong with the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pushfleet-unit-'));
  try {
    const path = join(folder, 'pushfleet.service');
    writeFileSync(path, UNIT.replace('/usr/bin/node', process.execPath));
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const found = error === undefined ? stderr.split('\n').filter((line) => line.includes('pushfleet.service')) : [];
    expect(found).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
