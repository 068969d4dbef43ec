import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeProblem } from './node-version';

const ROOT = join(__dirname, '../../..');

it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s will do', (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

it.each(['18.19.0', '20.18.3', '16.20.2'])('Node %s is too old, in the words of npm start', async (version) => {
  const module = join(ROOT, 'scripts/launch/node-version.mjs');
  const program = `import(${JSON.stringify(module)}).then((at) => console.log(at.nodeProblem('${version}')))`;
  const said = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim();
  expect(nodeProblem(version)).toBe(said);
});

it('asks for what package.json asks for', () => {
  const { engines } = jest.requireActual<{ engines: { node: string } }>(join(ROOT, 'package.json'));
  const [, least = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
  expect(nodeProblem(`${least}.0`)).toBeUndefined();
  expect(nodeProblem('1.0.0')).toContain(`Node ${least} or later`);
});
