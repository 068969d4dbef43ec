import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { fields } from '../output/table';
import { addLeaf, emptySchema, openSession, type CommonOptions, type Leaf } from './command';

const clientSchema = z.looseObject({ client_id: z.string(), name: z.string(), developer_id: z.string() });

/** Clients of the user information API. */
export function addClientCommands(program: Command, io: Io): void {
  const clients = program.command('clients').description('keep the apps that may ask about users');
  addPut(clients, io);
  addShow(clients, io);
  addDelete(clients, io);
}

const addClientLeaf = (clients: Command, leaf: Leaf): Command =>
  addLeaf(clients, leaf).argument('<client>', 'Client ID of the app');

function addPut(clients: Command, io: Io): void {
  addClientLeaf(clients, {
    ...{ name: 'put', summary: 'create or rename a client', examples: ['clients put CLIENT_ID --name "My game"'] },
  })
    .requiredOption('--name <name>', 'name of the app')
    .option('--developer <id>', 'whose client it is: those of one developer see the same unionid of a user')
    .action(async (client: string, options: CommonOptions & { name: string; developer?: string }) => {
      const { api, show } = openSession(io, options);
      const body = { name: options.name, developer_id: options.developer };
      show(await api.request('PUT', ['clients', client], { body }), clientSchema, clientText);
    });
}

function addShow(clients: Command, io: Io): void {
  addClientLeaf(clients, {
    ...{ name: 'show', summary: 'show a client', examples: ['clients show CLIENT_ID'] },
  }).action(async (client: string, options: CommonOptions) => {
    const { api, show } = openSession(io, options);
    show(await api.request('GET', ['clients', client]), clientSchema, clientText);
  });
}

function addDelete(clients: Command, io: Io): void {
  addClientLeaf(clients, {
    name: 'delete',
    summary: 'delete a client; its tokens are refused as long as it is gone',
    examples: ['clients delete CLIENT_ID'],
  }).action(async (client: string, options: CommonOptions) => {
    const { api, show } = openSession(io, options);
    show(await api.request('DELETE', ['clients', client]), emptySchema, () => `deleted ${client}\n`);
  });
}

const clientText = ({ client_id, name, developer_id }: z.output<typeof clientSchema>): string =>
  fields([
    ['client', client_id],
    ['name', name],
    ['developer', developer_id],
  ]);
