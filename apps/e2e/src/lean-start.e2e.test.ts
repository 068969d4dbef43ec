import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROLES = ['ingress', 'dispatcher', 'channel-worker', 'gateway', 'console', 'user-info'];

/** What only some processes need, and those not at their start. */
const ON_DEMAND = [
  ...['undici', 'openid-client', 'swagger-ui-dist'],
  ...['@opentelemetry/sdk-trace-base', '@opentelemetry/exporter-trace-otlp-http'],
];

const TELL = 'require(process.argv[1]); process.stdout.write(JSON.stringify(Object.keys(require.cache)))';

/** The packages of others that a role has loaded when it begins to open things. */
function packagesOf(role: string): readonly string[] {
  const entry = join(__dirname, '../..', role, 'dist/role.js');
  const files = JSON.parse(execFileSync(process.execPath, ['-e', TELL, entry], { encoding: 'utf8' })) as string[];
  return [...new Set(files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'ours'))];
}

test.each(ROLES)('%s starts without what it may never use', (role) => {
  const loaded = packagesOf(role);
  expect(loaded).toEqual(expect.arrayContaining(['ours', 'zod', 'ioredis']));
  expect(loaded.filter((name) => ON_DEMAND.includes(name))).toEqual([]);
});

test.each(['gateway', 'user-info'])('%s has no queue, and starts without its library', (role) => {
  expect(packagesOf(role)).not.toContain('bullmq');
});
