import { Option, type Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { fields } from '../output/table';
import { addCall, deletionFrom, tableOf, type CommonOptions } from './command';
import { groupOf } from './group-of';
import { wholeNumber } from './option-values';
import { appsOption, appsText, ROLE_NAMES, type RightsOptions } from './rights-options';

const tokenSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  apps: z.union([z.string(), z.array(z.string())]),
  expiresAt: z.string(),
  isExpired: z.boolean(),
  createdBy: z.string(),
});
const createdSchema = tokenSchema.extend({ token: z.string() });

/** What programs present instead of ADMIN_TOKEN. */
export const addApiTokenCommands = groupOf('api-tokens', 'keep the tokens of programs that use the admin API', [
  addList,
  addCreate,
  addDelete,
]);

function addList(tokens: Command, io: Io): void {
  addCall(tokens, io, {
    name: 'list',
    summary: 'list all tokens',
    examples: ['api-tokens list'],
    request: () => ['GET', ['api-tokens']],
    ...tableOf({
      item: tokenSchema,
      head: ['ID', 'NAME', 'ROLE', 'APPS', 'EXPIRES', 'BY'],
      row: ({ id, name, role, apps, expiresAt, isExpired, createdBy }) => [
        ...[id, name, role, appsText(apps), isExpired ? 'expired' : expiresAt, createdBy],
      ],
    }),
  });
}

interface CreateOptions extends CommonOptions, RightsOptions {
  readonly days?: number;
}

function addCreate(tokens: Command, io: Io): void {
  addCall(tokens, io, {
    name: 'create',
    summary: 'make a token, which is shown this once',
    examples: ['api-tokens create ci --role operator --apps APP_ID --days 30'],
    args: [['<name>', 'what it is for; the audit log names it']],
    request: ([name], { role, apps, days }: CreateOptions) => [
      'POST',
      ['api-tokens'],
      { body: { name, role, apps, days } },
    ],
    schema: createdSchema,
    toText: (created) =>
      fields([
        ['token', created.token],
        ['id', created.id],
        ['role', created.role],
        ['apps', appsText(created.apps)],
        ['expires', created.expiresAt],
      ]),
  })
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLE_NAMES).makeOptionMandatory())
    .addOption(appsOption())
    .option('--days <n>', 'how long it lives, at most 366; 90 if not given', wholeNumber);
}

function addDelete(tokens: Command, io: Io): void {
  addCall(tokens, io, {
    name: 'delete',
    summary: 'end a token at once',
    examples: ['api-tokens delete 0a1b2c3d4e5f'],
    ...deletionFrom('api-tokens', ['<id>', 'id of the token']),
  });
}
