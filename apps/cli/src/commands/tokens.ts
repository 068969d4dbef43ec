import { Option, type Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { fields } from '../output/table';
import { addLeaf, openSession, type CommonOptions, type Leaf } from './command';
import { invalidatedSchema, invalidatedText } from './users';

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
export function addTokenCommands(program: Command, io: Io): void {
  const tokens = program.command('tokens').description('issue and revoke MAC tokens of users');
  addIssue(tokens, io);
  addRevoke(tokens, io);
}

const addTokenLeaf = (tokens: Command, leaf: Leaf): Command =>
  addLeaf(tokens, leaf).argument('<user>', 'id of the user').argument('<client>', 'Client ID of the app');

interface IssueOptions extends CommonOptions {
  readonly algorithm: string;
  readonly scope?: string;
  readonly file?: string;
}

function addIssue(tokens: Command, io: Io): void {
  addTokenLeaf(tokens, {
    name: 'issue',
    summary: 'issue a token, or keep a given one byte for byte',
    examples: [
      'tokens issue USER_ID CLIENT_ID',
      `tokens issue USER_ID CLIENT_ID --file - < token.json      # {"access_token": "…", "mac_key": "…"}`,
    ],
  })
    .addOption(
      new Option('--algorithm <name>', 'algorithm of a new token')
        .choices(['hmac-sha-1', 'hmac-sha-256'])
        .default('hmac-sha-1'),
    )
    .option('--scope <words>', 'what a new token may read: public_profile (default) or basic_info')
    .option('--file <path>', 'JSON file with the token to keep; - for standard input')
    .action(async (...[user, client, options]: [string, string, IssueOptions]) => {
      const { api, show } = openSession(io, options);
      const { algorithm, scope, file } = options;
      const body = file === undefined ? { mac_algorithm: algorithm, scope } : await readJsonObject(io, file);
      show(await api.request('POST', ['users', user, 'tokens', client], { body }), tokenSchema, tokenText);
    });
}

function addRevoke(tokens: Command, io: Io): void {
  addTokenLeaf(tokens, {
    name: 'revoke',
    summary: 'take back the authorization of a client: its tokens of this user become invalid at once',
    examples: ['tokens revoke USER_ID CLIENT_ID'],
  }).action(async (...[user, client, options]: [string, string, CommonOptions]) => {
    const { api, show } = openSession(io, options);
    show(await api.request('DELETE', ['users', user, 'tokens', client]), invalidatedSchema, invalidatedText);
  });
}

const tokenText = (token: z.output<typeof tokenSchema>): string =>
  fields(
    (['kid', 'access_token', 'token_type', 'mac_key', 'mac_algorithm', 'scope', 'expire_in'] as const).map((name) => [
      name,
      token[name],
    ]),
  );
