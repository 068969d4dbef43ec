import type { Command } from 'commander';
import { UsageError } from '../errors';

/** Only for the list of commands: `bin/pushfleet.cjs` runs it, and loads nothing of this tool for that. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the whole fleet in this process')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new UsageError('serve comes first: pushfleet serve [--json] [--redis-dir DIR | --init FILE]');
    });
}
