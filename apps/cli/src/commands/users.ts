import { Option, type Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../errors';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { fields } from '../output/table';
import { CLIENT, USER } from './arguments';
import { addCall, deletionFrom, type CommonOptions } from './command';
import { onOff } from './option-values';
import { addPages } from './pages';

const userSchema = z.looseObject({
  user_id: z.string(),
  name: z.string(),
  avatar: z.string(),
  gender: z.number(),
  is_guest: z.boolean(),
  blocked_clients: z.array(z.string()).optional(),
});

const GENDERS = ['unknown', 'male', 'female'];

/** Users of the user information API. */
export function addUserCommands(program: Command, io: Io): void {
  const users = program.command('users').description('keep the users of the user information API');
  addPut(users, io);
  addList(users, io);
  addShow(users, io);
  addDelete(users, io);
  addSecurityChange(users, io);
  addBlock(users, io, { name: 'block', summary: 'let a client no longer read a user', method: 'PUT' });
  addBlock(users, io, { name: 'unblock', summary: 'let a client read a user again', method: 'DELETE' });
}

interface PutOptions extends CommonOptions {
  readonly file?: string;
  readonly name?: string;
  readonly avatar?: string;
  readonly gender?: string;
  readonly guest?: boolean;
}

function addPut(users: Command, io: Io): void {
  addCall(users, io, {
    name: 'put',
    summary: 'create or replace a user; tokens, blocks and given account ids stay',
    examples: [
      'users put USER_ID --name 张三 --avatar https://example.com/a.png --gender male',
      `users put USER_ID --file - < user.json      # {"name": "…", "avatar": "…", "gender": 1, "is_guest": false,`,
      `                                            #  "openids": {"CLIENT_ID": "…"}, "unionids": {"DEVELOPER_ID": "…"}}`,
    ],
    args: [USER],
    request: async ([user], options: PutOptions) => {
      const body = { ...(options.file === undefined ? {} : await readJsonObject(io, options.file)), ...given(options) };
      if (Object.keys(body).length === 0) throw new UsageError('give --name, or --file with the user');
      return ['PUT', ['users', user], { body }];
    },
    schema: userSchema,
    toText: userText,
  })
    .option('--file <path>', 'JSON file with the user; - for standard input')
    .option('--name <name>', 'name of the user')
    .option('--avatar <url>', 'address of the avatar image')
    .addOption(new Option('--gender <gender>', 'gender of the user').choices(GENDERS))
    .option('--guest <on|off>', 'whether the user is a guest', onOff);
}

function given({ name, avatar, gender, guest }: PutOptions): object {
  const all = { name, avatar, gender: gender === undefined ? undefined : GENDERS.indexOf(gender), is_guest: guest };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function addList(users: Command, io: Io): void {
  addPages(users, io, {
    summary: 'list all users',
    examples: ['users list', 'users list --json'],
    args: [],
    path: () => ['users'],
    item: userSchema,
    head: ['USER', 'NAME', 'GENDER', 'GUEST'],
    row: ({ user_id, name, gender, is_guest }) => [user_id, name, GENDERS[gender], is_guest],
  });
}

function addShow(users: Command, io: Io): void {
  addCall(users, io, {
    name: 'show',
    summary: 'show a user and the clients that may not read it',
    examples: ['users show USER_ID'],
    args: [USER],
    request: ([user]) => ['GET', ['users', user]],
    schema: userSchema,
    toText: userText,
  });
}

function addDelete(users: Command, io: Io): void {
  addCall(users, io, {
    name: 'delete',
    summary: 'delete a user; tokens of the user are answered not_found',
    examples: ['users delete USER_ID'],
    ...deletionFrom('users', USER),
  });
}

function addSecurityChange(users: Command, io: Io): void {
  addCall(users, io, {
    name: 'security-change',
    summary: 'record that the user changed own security-related data: every token becomes invalid at once',
    examples: ['users security-change USER_ID'],
    args: [USER],
    request: ([user]) => ['POST', ['users', user, 'security-change']],
    ...invalidated,
  });
}

interface Block {
  readonly name: 'block' | 'unblock';
  readonly summary: string;
  readonly method: 'PUT' | 'DELETE';
}

function addBlock(users: Command, io: Io, { name, summary, method }: Block): void {
  addCall(users, io, {
    name,
    summary,
    examples: [`users ${name} USER_ID CLIENT_ID`],
    args: [USER, CLIENT],
    request: ([user, client]) => [method, ['users', user, 'blocks', client]],
    toText: (_, [user, client]) => `${name}ed ${user} for ${client}\n`,
  });
}

const invalidatedSchema = z.looseObject({ invalidated: z.number() });

/** What the console answers when it took tokens back. */
export const invalidated = {
  schema: invalidatedSchema,
  toText: (answer: z.output<typeof invalidatedSchema>): string =>
    `${answer.invalidated} token(s) are no longer valid\n`,
};

const userText = (user: z.output<typeof userSchema>): string =>
  fields([
    ['user', user.user_id],
    ['name', user.name],
    ['avatar', user.avatar],
    ['gender', GENDERS[user.gender]],
    ['guest', user.is_guest],
    ['blocked for', user.blocked_clients?.join(', ')],
  ]);
