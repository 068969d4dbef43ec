import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { fields } from '../output/table';
import { CLIENT } from './arguments';
import { addCall, deletionFrom, type CommonOptions } from './command';
import { addPages } from './pages';

const clientSchema = z.looseObject({ client_id: z.string(), name: z.string(), developer_id: z.string() });

const clientText = ({ client_id, name, developer_id }: z.output<typeof clientSchema>): string =>
  fields([
    ['client', client_id],
    ['name', name],
    ['developer', developer_id],
  ]);

interface PutOptions extends CommonOptions {
  readonly name: string;
  readonly developer?: string;
}

/** Clients of the user information API. */
export function addClientCommands(program: Command, io: Io): void {
  const clients = program.command('clients').description('keep the apps that may ask about users');
  addCall(clients, io, {
    name: 'put',
    summary: 'create or rename a client',
    examples: ['clients put CLIENT_ID --name "My game"'],
    args: [CLIENT],
    request: ([client], { name, developer }: PutOptions) => [
      'PUT',
      ['clients', client],
      { body: { name, developer_id: developer } },
    ],
    schema: clientSchema,
    toText: clientText,
  })
    .requiredOption('--name <name>', 'name of the app')
    .option('--developer <id>', 'whose client it is: those of one developer see the same unionid of a user');
  addPages(clients, io, {
    summary: 'list all clients',
    examples: ['clients list', 'clients list --json'],
    args: [],
    path: () => ['clients'],
    item: clientSchema,
    head: ['CLIENT', 'NAME', 'DEVELOPER'],
    row: ({ client_id, name, developer_id }) => [client_id, name, developer_id],
  });
  addCall(clients, io, {
    name: 'show',
    summary: 'show a client',
    examples: ['clients show CLIENT_ID'],
    args: [CLIENT],
    request: ([client]) => ['GET', ['clients', client]],
    schema: clientSchema,
    toText: clientText,
  });
  addCall(clients, io, {
    name: 'delete',
    summary: 'delete a client; its tokens are refused as long as it is gone',
    examples: ['clients delete CLIENT_ID'],
    ...deletionFrom('clients', CLIENT),
  });
}
