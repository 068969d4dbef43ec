import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const UNIT = readFileSync(join(ROOT, 'infra/systemd/pushfleet.service'), 'utf8');
const GUIDE = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');

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
  expect(GUIDE).toContain(`Metrics and probes are on port ${port} there`);
});

/** The lines that the guide adds to the unit so that it may open a port below 1024. */
const [, PORT_443 = ''] = /pushfleet\.service\.d\/port-443\.conf <<'END'\n(.*?)^END$/ms.exec(GUIDE) ?? [];

test('the guide gives the unit one right for port 443, and takes back none of its other bounds', () => {
  const settings = PORT_443.split('\n').filter((line) => line.includes('='));
  expect(UNIT).toContain('\nCapabilityBoundingSet=\n');
  expect(settings.filter((line) => !line.startsWith('SupplementaryGroups='))).toEqual([
    'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
    'AmbientCapabilities=CAP_NET_BIND_SERVICE',
  ]);
});

test.each([
  ['the unit', {}],
  ['the unit with what the guide adds for port 443', { 'port-443.conf': PORT_443 }],
])('systemd, where it is there, finds nothing wrong with %s', (_, additions) => {
  const folder = mkdtempSync(join(tmpdir(), 'pushfleet-unit-'));
  try {
    const path = join(folder, 'pushfleet.service');
    writeFileSync(path, UNIT.replace('/usr/bin/node', process.execPath));
    mkdirSync(`${path}.d`);
    for (const [name, text] of Object.entries(additions)) writeFileSync(join(`${path}.d`, name), text);
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    const found = error === undefined ? stderr.split('\n').filter((line) => line.includes('pushfleet.service')) : [];
    expect(found).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
