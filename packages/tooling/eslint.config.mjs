import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: a name is written once, where the thing is defined.',
};
const noExportAll = {
  selector: 'ExportAllDeclaration[exported=null]',
  message: 'An entry lists its exports by name, so that a reader sees what a package offers.',
};

const noSpreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Name the properties in the object itself: of a literal that is spread, the compiler checks no names.',
};

const sizes = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', 10],
  'max-params': ['error', 3],
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'packages/console-web/src/api/schema.d.ts',
      '.pushfleet/**',
      '**/__fixtures__/**',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['{apps,packages}/*/src/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, noExportAll, noSpreadLiteral],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
      ],
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      ...sizes,
    },
  },
  { files: ['**/config.ts', 'packages/testing/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.test.ts', '**/testing/**/*.ts', '**/simulator.ts', 'apps/simulator/**', 'apps/e2e/**'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', noDefaultExport, noExportAll],
    },
  },
  // Declares what other people's modules export.
  { files: ['**/*.d.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['apps/cli/src/**', 'apps/bench/src/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        require: 'readonly',
        module: 'readonly',
        __dirname: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
      },
    },
    rules: {
      ...sizes,
      'no-restricted-syntax': ['error', noSpreadLiteral],
      '@typescript-eslint/no-require-imports': 'off',
    },
  },
);
