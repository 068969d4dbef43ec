import type { Command } from 'commander';
import { z } from 'zod';
import { exportPages } from '../export-pages';
import type { Io } from '../io';
import { thousands } from '../output/progress';
import { addLeaf, openSession, type CommonOptions } from './command';
import { nameOrId } from './option-values';

interface ExportOptions extends CommonOptions {
  readonly app: string;
  readonly out?: string;
}

export function addInstallationExport(exports: Command, io: Io): void {
  addLeaf(exports, {
    name: 'installations',
    summary: 'write the installations of an app as JSON lines, which `import installations` takes',
    examples: [
      'export installations --app APP_ID --out installations.jsonl',
      'export installations --app APP_ID | gzip > installations.jsonl.gz',
    ],
  })
    .requiredOption('--app <id>', 'the app', nameOrId)
    .option('--out <path>', 'file to write; standard output otherwise')
    .action(async ({ app, out, ...options }: ExportOptions) => {
      const { api, show } = openSession(io, options);
      const list = { api, path: ['apps', app, 'installations'], unit: 'installations' };
      const { count } = await exportPages(io, list, out);
      if (out === undefined) return;
      show({ installations: count, out }, z.looseObject({}), () => `${thousands(count)} installations\n`);
    });
}
