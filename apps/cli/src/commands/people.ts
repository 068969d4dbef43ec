import { Option, type Command } from 'commander';
import { z } from 'zod';
import { readSecretText } from '../json-input';
import type { Io } from '../io';
import { table } from '../output/table';
import { addCall, deletionFrom, listOf, unreadableText, type CommonOptions } from './command';
import { groupOf } from './group-of';
import { appsOption, appsText, ROLE_NAMES, type RightsOptions } from './rights-options';

const personSchema = z.looseObject({
  name: z.string(),
  role: z.string(),
  apps: z.union([z.string(), z.array(z.string())]),
  createdAt: z.string(),
});

/** People who sign in to the console. */
export const addPeopleCommands = groupOf('people', 'keep who may sign in to the console', [
  addList,
  addCreate,
  addUpdate,
  addPassword,
  addSignOut,
  addDelete,
]);

const PERSON = ['<name>', 'name that the person signs in with'] as const;

const peopleText = (results: readonly z.output<typeof personSchema>[]): string =>
  table(
    ['NAME', 'ROLE', 'APPS', 'SINCE'],
    results.map(({ name, role, apps, createdAt }) => [name, role, appsText(apps), createdAt]),
  );

const onePerson = {
  schema: personSchema,
  toText: (person: z.output<typeof personSchema>): string => peopleText([person]),
};

function addList(people: Command, io: Io): void {
  addCall(people, io, {
    name: 'list',
    summary: 'list everybody who may sign in',
    examples: ['people list'],
    request: () => ['GET', ['people']],
    schema: listOf(personSchema),
    toText: ({ results, unreadable }) => peopleText(results).concat(unreadableText(unreadable)),
  });
}

interface PasswordOptions extends CommonOptions {
  readonly passwordFile: string;
}

const PASSWORD_FILE = [
  '--password-file <path>',
  'file with the password in its first line; - for standard input',
] as const;

function addCreate(people: Command, io: Io): void {
  addCall(people, io, {
    name: 'create',
    summary: 'let somebody in',
    examples: ['people create ann --role sender --apps APP_ID,APP_ID --password-file - < password.txt'],
    args: [PERSON],
    request: async ([name], { passwordFile, role, apps }: PasswordOptions & RightsOptions) => {
      const body = { name, role, apps, password: await readLine(io, passwordFile) };
      return ['POST', ['people'], { body }];
    },
    ...onePerson,
  })
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLE_NAMES).makeOptionMandatory())
    .addOption(appsOption())
    .requiredOption(...PASSWORD_FILE);
}

function addUpdate(people: Command, io: Io): void {
  addCall(people, io, {
    name: 'update',
    summary: 'change what a person may do; it holds at once',
    examples: ['people update ann --role viewer', 'people update ann --apps all'],
    args: [PERSON],
    request: ([name], { role, apps }: CommonOptions & RightsOptions) => [
      'PATCH',
      ['people', name],
      { body: { role, apps } },
    ],
    ...onePerson,
  })
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLE_NAMES))
    .addOption(appsOption());
}

function addPassword(people: Command, io: Io): void {
  addCall(people, io, {
    name: 'password',
    summary: 'set the password of a person, and end all sessions',
    examples: ['people password ann --password-file - < password.txt'],
    args: [PERSON],
    request: async ([name], { passwordFile }: PasswordOptions) => {
      const body = { password: await readLine(io, passwordFile) };
      return ['PUT', ['people', name, 'password'], { body }];
    },
    toText: (_, [name]) => `changed the password of ${name}\n`,
  }).requiredOption(...PASSWORD_FILE);
}

function addSignOut(people: Command, io: Io): void {
  addCall(people, io, {
    name: 'sign-out',
    summary: 'end all sessions of a person',
    examples: ['people sign-out ann'],
    args: [PERSON],
    request: ([name]) => ['DELETE', ['people', name, 'sessions']],
    toText: (_, [name]) => `ended all sessions of ${name}\n`,
  });
}

function addDelete(people: Command, io: Io): void {
  addCall(people, io, {
    name: 'delete',
    summary: 'let somebody in no more; sessions end at once',
    examples: ['people delete ann'],
    ...deletionFrom('people', PERSON),
  });
}

/** What stands behind the line, as editors leave it, is not part of the password. */
const readLine = async (io: Io, path: string): Promise<string> =>
  (await readSecretText(io, path)).split(/\r?\n/, 1)[0] ?? '';
