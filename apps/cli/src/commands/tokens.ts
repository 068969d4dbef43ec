import { Option, type Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { fields } from '../output/table';
import { CLIENT, USER } from './arguments';
import { addCall, type CommonOptions } from './command';
import { groupOf } from './group-of';
import { addPages } from './pages';
import { invalidated } from './users';

const tokenSchema = z.looseObject({
  kid: z.string(),
  access_token: z.string(),
  token_type: z.string(),
  mac_key: z.string(),
  mac_algorithm: z.string(),
  scope: z.string(),
  expire_in: z.string().optional(),
});

/** MAC tokens of the user information API. */
export const addTokenCommands = groupOf('tokens', 'issue, list and revoke MAC tokens of users', [
  addIssue,
  addList,
  addRevoke,
]);

const ARGS = [USER, CLIENT] as const;

interface IssueOptions extends CommonOptions {
  readonly algorithm: string;
  readonly scope?: string;
  readonly file?: string;
}

function addIssue(tokens: Command, io: Io): void {
  addCall(tokens, io, {
    name: 'issue',
    summary: 'issue a token, or keep a given one byte for byte',
    examples: [
      'tokens issue USER_ID CLIENT_ID',
      `tokens issue USER_ID CLIENT_ID --file - < token.json      # {"access_token": "…", "mac_key": "…"}`,
    ],
    args: ARGS,
    request: async ([user, client], { algorithm, scope, file }: IssueOptions) => {
      const body = file === undefined ? { mac_algorithm: algorithm, scope } : await readJsonObject(io, file);
      return ['POST', ['users', user, 'tokens', client], { body }];
    },
    schema: tokenSchema,
    toText: tokenText,
  })
    .addOption(
      new Option('--algorithm <name>', 'algorithm of a new token')
        .choices(['hmac-sha-1', 'hmac-sha-256'])
        .default('hmac-sha-1'),
    )
    .option('--scope <words>', 'what a new token may read: public_profile (default) or basic_info')
    .option('--file <path>', 'JSON file with the token to keep; - for standard input');
}

const listedSchema = z.looseObject({
  id: z.string(),
  client_id: z.string(),
  mac_algorithm: z.string(),
  scope: z.string(),
  expire_in: z.string().optional(),
});

function addList(tokens: Command, io: Io): void {
  addPages(tokens, io, {
    summary: 'list the valid tokens of a user, without anything that signs',
    examples: ['tokens list USER_ID'],
    args: [USER],
    path: ([user]) => ['users', user, 'tokens'],
    item: listedSchema,
    head: ['TOKEN', 'CLIENT', 'ALGORITHM', 'SCOPE', 'EXPIRE IN'],
    row: (token) => [token.id, token.client_id, token.mac_algorithm, token.scope, token.expire_in],
  });
}

function addRevoke(tokens: Command, io: Io): void {
  addCall(tokens, io, {
    name: 'revoke',
    summary: 'take back the authorization of a client: its tokens of this user become invalid at once',
    examples: ['tokens revoke USER_ID CLIENT_ID'],
    args: ARGS,
    request: ([user, client]) => ['DELETE', ['users', user, 'tokens', client]],
    ...invalidated,
  });
}

const tokenText = (token: z.output<typeof tokenSchema>): string =>
  fields(
    (['kid', 'access_token', 'token_type', 'mac_key', 'mac_algorithm', 'scope', 'expire_in'] as const).map((name) => [
      name,
      token[name],
    ]),
  );
