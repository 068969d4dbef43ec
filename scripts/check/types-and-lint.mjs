import { relative } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { typedRules } from '../../packages/tooling/eslint.typed.mjs';
import { inRoot } from '../launch/paths.mjs';
import { passedState } from './passed-state.mjs';

const TSCONFIG = inRoot('packages/tooling/tsconfig.check.json');
const CONFIG = inRoot('packages/tooling/eslint.config.mjs');
/** What has no types is linted every time. */
const UNTYPED = ['{apps,packages,scripts}/**/*.{mjs,cjs}'];
const FORMAT = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => inRoot(),
  getNewLine: () => '\n',
};

/**
 * Types and lint in one process: rules that ask for types ask the program that has been checked, which is read once. What
 * neither changed since everything was right, nor sees a type that did, is right still: `ALL=1` looks at it all the same.
 */
const state = passedState();
const program = openProgram();
const { diagnostics, files } = checkTypes();
process.stdout.write(ts.formatDiagnostics(diagnostics, FORMAT));
const failed = [diagnostics.length > 0, await complainOfLint()].some(Boolean);
if (!failed) keepState();
process.exit(failed ? 1 : 0);

function openProgram() {
  const { config } = ts.readConfigFile(TSCONFIG, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, inRoot('packages/tooling'));
  return ts.createIncrementalProgram({
    rootNames: fileNames,
    // Where each module stands alone, the compiler does not say who sees the type that changed in another; the build asks for that.
    options: { ...options, isolatedModules: false, incremental: true, tsBuildInfoFile: state.path },
  });
}

/** What is wrong with types, and the files that had to be looked at. */
function checkTypes() {
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
  ];
  const seen = [];
  const own = new Set(program.getProgram().getRootFileNames());
  for (;;) {
    const next = program.getSemanticDiagnosticsOfNextAffectedFile();
    if (next === undefined) break;
    found.push(...next.result);
    const sources = 'fileName' in next.affected ? [next.affected] : next.affected.getSourceFiles();
    seen.push(...sources.map(({ fileName }) => fileName).filter((name) => own.has(name)));
  }
  return {
    diagnostics: ts.sortAndDeduplicateDiagnostics([...found, ...program.getGlobalDiagnostics()]),
    files: [...new Set(seen)],
  };
}

async function complainOfLint() {
  const eslint = new ESLint({
    cwd: inRoot(),
    overrideConfigFile: CONFIG,
    overrideConfig: {
      files: ['{apps,packages}/*/src/**/*.ts'],
      languageOptions: { parserOptions: { programs: [program.getProgram()] } },
      rules: typedRules,
    },
  });
  const results = await eslint.lintFiles([...files.map((file) => relative(inRoot(), file)), ...UNTYPED]);
  const formatter = await eslint.loadFormatter('stylish');
  process.stdout.write(await formatter.format(results));
  return results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
}

function keepState() {
  state.forgetOthers();
  program.emit();
}
