import { Option, type Command } from 'commander';
import { z } from 'zod';
import { readSecretText } from '../json-input';
import type { Io } from '../io';
import { table } from '../output/table';
import { addLeaf, emptySchema, listOf, openSession, type CommonOptions, type Leaf } from './command';
import { appsOption, appsText, ROLE_NAMES, type RightsOptions } from './rights-options';

const personSchema = z.looseObject({
  ...{ name: z.string(), role: z.string(), apps: z.union([z.string(), z.array(z.string())]), createdAt: z.string() },
});

/** People who sign in to the console. */
export function addPeopleCommands(program: Command, io: Io): void {
  const people = program.command('people').description('keep who may sign in to the console');
  addList(people, io);
  addCreate(people, io);
  addUpdate(people, io);
  addPassword(people, io);
  addSignOut(people, io);
  addDelete(people, io);
}

const addPersonLeaf = (people: Command, leaf: Leaf): Command =>
  addLeaf(people, leaf).argument('<name>', 'name that the person signs in with');

const peopleText = (results: readonly z.output<typeof personSchema>[]): string =>
  table(
    ['NAME', 'ROLE', 'APPS', 'SINCE'],
    results.map(({ name, role, apps, createdAt }) => [name, role, appsText(apps), createdAt]),
  );

function addList(people: Command, io: Io): void {
  addLeaf(people, { name: 'list', summary: 'list everybody who may sign in', examples: ['people list'] }).action(
    async (options: CommonOptions) => {
      const { api, show } = openSession(io, options);
      show(await api.request('GET', ['people']), listOf(personSchema), ({ results }) => peopleText(results));
    },
  );
}

interface PasswordOptions extends CommonOptions {
  readonly passwordFile: string;
}

const PASSWORD_FILE = [
  '--password-file <path>',
  'file with the password in its first line; - for standard input',
] as const;

function addCreate(people: Command, io: Io): void {
  addPersonLeaf(people, {
    ...{ name: 'create', summary: 'let somebody in' },
    examples: ['people create ann --role sender --apps APP_ID,APP_ID --password-file - < password.txt'],
  })
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLE_NAMES).makeOptionMandatory())
    .addOption(appsOption())
    .requiredOption(...PASSWORD_FILE)
    .action(async (name: string, { passwordFile, role, apps, ...options }: PasswordOptions & RightsOptions) => {
      const { api, show } = openSession(io, options);
      const body = { name, role, apps, password: await readLine(io, passwordFile) };
      show(await api.request('POST', ['people'], { body }), personSchema, (person) => peopleText([person]));
    });
}

function addUpdate(people: Command, io: Io): void {
  addPersonLeaf(people, {
    ...{ name: 'update', summary: 'change what a person may do; it holds at once' },
    examples: ['people update ann --role viewer', 'people update ann --apps all'],
  })
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLE_NAMES))
    .addOption(appsOption())
    .action(async (name: string, { role, apps, ...options }: CommonOptions & RightsOptions) => {
      const { api, show } = openSession(io, options);
      const answer = await api.request('PATCH', ['people', name], { body: { role, apps } });
      show(answer, personSchema, (person) => peopleText([person]));
    });
}

function addPassword(people: Command, io: Io): void {
  addPersonLeaf(people, {
    ...{ name: 'password', summary: 'set the password of a person, and end all sessions' },
    examples: ['people password ann --password-file - < password.txt'],
  })
    .requiredOption(...PASSWORD_FILE)
    .action(async (name: string, { passwordFile, ...options }: PasswordOptions) => {
      const { api, show } = openSession(io, options);
      const body = { password: await readLine(io, passwordFile) };
      const answer = await api.request('PUT', ['people', name, 'password'], { body });
      show(answer, emptySchema, () => `changed the password of ${name}\n`);
    });
}

function addSignOut(people: Command, io: Io): void {
  addPersonLeaf(people, {
    ...{ name: 'sign-out', summary: 'end all sessions of a person', examples: ['people sign-out ann'] },
  }).action(async (name: string, options: CommonOptions) => {
    const { api, show } = openSession(io, options);
    const answer = await api.request('DELETE', ['people', name, 'sessions']);
    show(answer, emptySchema, () => `ended all sessions of ${name}\n`);
  });
}

function addDelete(people: Command, io: Io): void {
  addPersonLeaf(people, {
    ...{ name: 'delete', summary: 'let somebody in no more; sessions end at once', examples: ['people delete ann'] },
  }).action(async (name: string, options: CommonOptions) => {
    const { api, show } = openSession(io, options);
    show(await api.request('DELETE', ['people', name]), emptySchema, () => `deleted ${name}\n`);
  });
}

/** What stands behind the line, as editors leave it, is not part of the password. */
const readLine = async (io: Io, path: string): Promise<string> =>
  (await readSecretText(io, path)).split(/\r?\n/, 1)[0] ?? '';
