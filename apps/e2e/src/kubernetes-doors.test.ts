import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@pushfleet/domain';
import { parse } from 'yaml';
import { variablesIn } from './testing/env-file';

const OVERLAY = join(__dirname, '../../../infra/kubernetes/overlays/production');
const read = (name: string): string => readFileSync(join(OVERLAY, name), 'utf8');

const doors = parse(read('doors.yaml')) as { metadata: { annotations: Readonly<Record<string, string>> } };
const MEBIBYTE = 1024 * 1024;

test('the controller lets pass what the API takes', () => {
  const [, mebibytes] =
    /^(\d+)m$/.exec(doors.metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '') ?? [];
  expect(Number(mebibytes) * MEBIBYTE).toBeGreaterThanOrEqual(LIMITS.batchBytes.value);
});

test('everything behind the controller is told of it, or all callers are one address, or none', () => {
  const settings = variablesIn(read('settings.env'));
  expect([settings.get('TRUSTED_PROXY_HOPS'), settings.get('PROXY_HOPS')]).toEqual(['1', '1']);
});
