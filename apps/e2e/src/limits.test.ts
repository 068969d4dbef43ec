import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@pushfleet/domain';

const ROOT = join(__dirname, '../../..');
const TABLE = 'packages/domain/src/limits/';

const sources = ['apps', 'packages'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /^\w+\/[\w-]+\/src\/.*(?<!\.test)\.tsx?$/.test(path) && !path.startsWith(TABLE)),
);
const text = sources.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');

test.each(Object.keys(LIMITS))('%s is read where it bounds something', (name) => {
  expect(text).toMatch(new RegExp(`\\b${name}\\b`));
});
