import { ESLint } from 'eslint';
import ts from 'typescript';
import { typedRules } from '../../packages/tooling/eslint.typed.mjs';
import { inRoot } from '../launch/paths.mjs';

const TSCONFIG = inRoot('packages/tooling/tsconfig.check.json');
const CONFIG = inRoot('packages/tooling/eslint.config.mjs');
const CODE = ['apps', 'packages', 'scripts'];
const FORMAT = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => inRoot(),
  getNewLine: () => '\n',
};

/** Types and lint in one process: rules that ask for types ask the program that has been checked, which is read once. */
const program = openProgram();
const failed = [await complainOfTypes(), await complainOfLint()].some(Boolean);
process.exit(failed ? 1 : 0);

function openProgram() {
  const { config } = ts.readConfigFile(TSCONFIG, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, inRoot('packages/tooling'));
  return ts.createProgram(fileNames, { ...options, incremental: false, tsBuildInfoFile: undefined });
}

function complainOfTypes() {
  const diagnostics = ts.getPreEmitDiagnostics(program);
  process.stdout.write(ts.formatDiagnostics(diagnostics, FORMAT));
  return diagnostics.length > 0;
}

async function complainOfLint() {
  const eslint = new ESLint({
    cwd: inRoot(),
    overrideConfigFile: CONFIG,
    overrideConfig: {
      files: ['{apps,packages}/*/src/**/*.ts'],
      languageOptions: { parserOptions: { programs: [program] } },
      rules: typedRules,
    },
  });
  const results = await eslint.lintFiles(CODE);
  const formatter = await eslint.loadFormatter('stylish');
  process.stdout.write(await formatter.format(results));
  return results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
}
