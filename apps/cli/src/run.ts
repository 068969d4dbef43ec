import { Command, CommanderError } from 'commander';
import { addApiTokenCommands } from './commands/api-tokens';
import { addAppCommands } from './commands/apps';
import { addAuditCommand } from './commands/audit';
import { addChannelCommands } from './commands/channels';
import { addClientCommands } from './commands/clients';
import { addRetiredExport } from './commands/export-devices';
import { addInstallationExport } from './commands/export-installations';
import { addInstallationImport } from './commands/import-installations';
import { addUserImport } from './commands/import-users';
import { addDevicesCommand } from './commands/devices';
import { addDoctorCommand } from './commands/doctor';
import { addIndexCommands } from './commands/indexes';
import { addPeopleCommands } from './commands/people';
import { addProcessesCommand } from './commands/processes';
import { addProfileCommands } from './commands/profiles';
import { addPushCommands } from './commands/pushes';
import { addReasonsCommand } from './commands/reasons';
import { addSecretCommands } from './commands/secrets';
import { addServeCommand } from './commands/serve';
import { addTokenCommands } from './commands/tokens';
import { addUserCommands } from './commands/users';
import { Interrupted, RequestError, UsageError } from './errors';
import type { Io } from './io';
import { printable, printableLine } from './output/printable';
import { readVersion } from './version';

const ENVIRONMENT = `
Environment:
  PUSHFLEET_URL  address of the console (default: http://127.0.0.1:8083)
  ADMIN_TOKEN    the token that the console was started with, or an API token; ADMIN_TOKEN_FILE names a file with it

Secrets come from files or standard input, never as arguments.

Exit codes: 0 done, 1 refused or not reachable, 2 not a valid command, or one that needs --yes, 130 interrupted.

Examples:
  $ pushfleet apps create "My app" --edition commercial
  $ pushfleet profiles put APP_ID mi _default --file - < mi.json
  $ pushfleet pushes show APP_ID PUSH_ID
`;

/** Runs one command line, given without the program's name, and resolves with its exit code. */
export async function run(argv: readonly string[], terminal: Io): Promise<number> {
  const io: Io = {
    ...terminal,
    writeOut: (text) => terminal.writeOut(printable(text)),
    writeErr: (text) => terminal.writeErr(printableLine(text)),
  };
  try {
    await buildProgram(io).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its message by now; help that was asked for ends with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const code = EXIT_CODES.find(([kind]) => error instanceof kind)?.[1];
    if (code === undefined || !(error instanceof Error)) throw error;
    io.writeErr(`pushfleet: ${error.message}\n`);
    return code;
  }
}

const EXIT_CODES = [
  [RequestError, 1],
  [UsageError, 2],
  [Interrupted, 130],
] as const;

function buildProgram(io: Io): Command {
  // Subcommands inherit these two only when they are set first.
  const program = new Command('pushfleet')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.writeOut(text), writeErr: (text) => io.writeErr(text) })
    .version(readVersion(), '--version', 'show the version')
    .description('operate a pushfleet through its console')
    .showHelpAfterError('(add --help for usage and examples)')
    .addHelpText('after', ENVIRONMENT);
  addAppCommands(program, io);
  addProfileCommands(program, io);
  addIndexCommands(program, io);
  addPushCommands(program, io);
  addReasonsCommand(program, io);
  addChannelCommands(program, io);
  addClientCommands(program, io);
  addUserCommands(program, io);
  addTokenCommands(program, io);
  addPeopleCommands(program, io);
  addApiTokenCommands(program, io);
  addDevicesCommand(program, io);
  addSecretCommands(program, io);
  addProcessesCommand(program, io);
  addAuditCommand(program, io);
  addDoctorCommand(program, io);
  addServeCommand(program);
  const imports = program.command('import').description('take over what another service held');
  addUserImport(imports, io);
  addInstallationImport(imports, io);
  const exports = program.command('export').description('hand out what this service holds');
  addInstallationExport(exports, io);
  addRetiredExport(exports, io);
  return program;
}
