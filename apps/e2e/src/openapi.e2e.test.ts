import { createConfig, lintFromString } from '@redocly/openapi-core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Fleet, type DemoApp } from './fleet';

const packageFolder = (name: string): string => {
  const place = require.resolve.paths(name)?.find((path) => hasPackage(path, name));
  if (place === undefined) throw new Error(`${name} is not installed`);
  return join(place, name);
};

function hasPackage(place: string, name: string): boolean {
  try {
    return readFileSync(join(place, name, 'package.json')).length > 0;
  } catch {
    return false;
  }
}

const run = async (script: string, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], { cwd: folder });
  return stdout + stderr;
};

const TOOLS = {
  validator: join(packageFolder('@seriousme/openapi-schema-validator'), 'bin/validate-api-cli.js'),
  types: join(packageFolder('openapi-typescript'), 'bin/cli.js'),
  sdk: join(packageFolder('@hey-api/openapi-ts'), 'bin/run.js'),
  compiler: join(packageFolder('typescript'), 'bin/tsc'),
};

/** A sender's program in both dialects; it compiles only when the documents say what a push may say. */
const PROGRAM = `
import openClient from 'openapi-fetch';
import type { paths } from './ingress';
import { client } from './sdk-ingress/client.gen';
import { push } from './sdk-ingress';

const [baseUrl = '', id = '', key = ''] = process.argv.slice(2);
const headers = { 'X-LC-Id': id, 'X-LC-Key': key };
const body = { where: { city: 'Berlin', age: { $gt: 3 } }, data: { alert: 'Hello', k: 1, mi: { title: 'T' } } };

async function main(): Promise<void> {
  client.setConfig({ baseUrl, headers });
  const bySdk = await push({ body });
  const byTypes = await openClient<paths>({ baseUrl, headers }).POST('/1.1/push', { body });
  const ids: (string | undefined)[] = [bySdk.data?.objectId, byTypes.data?.objectId];
  console.log(JSON.stringify(ids));
}
void main();
`;

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const DOCUMENTS = {
  ingress: '/openapi.json',
  'user-info': '/openapi.json',
  console: '/api/v1/openapi.json',
} as const;
const names = Object.keys(DOCUMENTS) as readonly (keyof typeof DOCUMENTS)[];

let folder: string;
let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  symlinkSync(dirname(packageFolder('openapi-fetch')), join(folder, 'node_modules'));
  ({ fleet, app } = await Fleet.withApp([]));
  await fleet.run('user-info');
  const doors = {
    ingress: fleet.url('ingress'),
    'user-info': fleet.url('user-info', 'userInfo'),
    console: fleet.url('console'),
  };
  for (const name of names) {
    const answer = await fetch(`${doors[name]}${DOCUMENTS[name]}`);
    writeFileSync(join(folder, `${name}.json`), await answer.text());
  }
});

afterAll(async () => {
  await fleet.stop();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

const DONE = expect.stringMatching(/^[23]\d\d$/) as string;

const operationsOf = (name: string): readonly Operation[] =>
  Object.values((JSON.parse(textOf(`${name}.json`)) as Document).paths).flatMap((methods) => Object.values(methods));

describe.each(names)('the document of %s', (name) => {
  test('is valid for two validators', async () => {
    expect(JSON.parse(await run(TOOLS.validator, `${name}.json`))).toMatchObject({ valid: true });
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
        // What is open to everybody has nothing to refuse.
        'operation-4xx-response': 'off',
        // The root answers with a redirect, which the rule does not know as an answer.
        'operation-2xx-response': 'off',
        'no-server-example.com': 'off',
      },
    });
    const problems = await lintFromString({ source: textOf(`${name}.json`), absoluteRef: `/${name}.json`, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    for (const { operationId, responses } of operationsOf(name))
      expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining([DONE])]);
  });

  test('makes types and a client for every operation, without a warning', async () => {
    const said = [
      await run(TOOLS.types, `${name}.json`, '-o', `${name}.d.ts`),
      await run(TOOLS.sdk, '-i', `./${name}.json`, '-o', `sdk-${name}`, '--no-log-file'),
    ].join('');
    expect(said).not.toMatch(/warn|error|unsupported/i);
    const operations = operationsOf(name);
    expect(operations.length).toBeGreaterThan(2);
    for (const { operationId: id } of operations) {
      expect(textOf(`${name}.d.ts`)).toMatch(new RegExp(`^    ${id}: \\{`, 'm'));
      expect(textOf(`sdk-${name}/sdk.gen.ts`)).toContain(`export const ${id} = `);
    }
  });
});

test('a program with the generated clients compiles and pushes', async () => {
  writeFileSync(join(folder, 'send.ts'), PROGRAM);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, skipLibCheck: true, target: 'es2022', module: 'nodenext', outDir: 'out', rootDir: '.' },
        ...{ types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'] },
      },
      files: ['send.ts'],
    }),
  );
  await run(TOOLS.compiler, '-p', '.');
  const answer = await run('out/send.js', fleet.url('ingress'), app.id, `${app.masterKey},master`);
  const ids = JSON.parse(answer) as readonly string[];
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(await fleet.record(app, id)).toMatchObject({ objectId: id });
});
