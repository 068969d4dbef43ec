import { writeJson } from '@pushfleet/domain';
import type { Command } from 'commander';
import { z } from 'zod';
import { RequestError } from '../errors';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { fields } from '../output/table';
import { APP, CHANNEL } from './arguments';
import { addCall, addLeaf, emptySchema, openSession, tableOf, type CommonOptions } from './command';
import { addConfirmed, examplesWithYes, notConfirmed, type ConfirmOptions } from './confirmation';
import { groupOf } from './group-of';

const lastTestSchema = z.looseObject({ at: z.string(), ok: z.boolean() });

const profileSchema = z.looseObject({
  channel: z.string(),
  profile: z.string(),
  receiptUrl: z.string().optional(),
  lastTest: lastTestSchema.optional(),
  receiptSeenAt: z.string().optional(),
});

const testSchema = z.looseObject({
  ok: z.boolean(),
  vendorCode: z.string().nullable(),
  vendorMessage: z.string().nullable(),
});

export const addProfileCommands = groupOf('profiles', "keep the vendors' credentials of an app", [
  addPut,
  addShow,
  addList,
  addDelete,
  addTest,
]);

const PROFILE = ['<profile>', 'name of the profile; _default serves devices that name none'] as const;
const ARGS = [APP, CHANNEL, PROFILE] as const;

const pathOf = ([app, channel, profile]: readonly [string, string, string]): readonly string[] => [
  ...['apps', app, 'profiles', channel, profile],
];

function addPut(profiles: Command, io: Io): void {
  addCall(profiles, io, {
    name: 'put',
    summary: 'save a profile; a secret given as "***" keeps the stored one',
    examples: ['profiles put APP_ID mi _default --file mi.json', 'profiles put APP_ID mi _default --file - < mi.json'],
    args: ARGS,
    request: async (names, { file }: CommonOptions & { readonly file: string }) => {
      return ['PUT', pathOf(names), { body: await readJsonObject(io, file) }];
    },
    ...oneProfile,
  }).requiredOption('--file <path>', 'JSON file with the profile; - for standard input');
}

function addShow(profiles: Command, io: Io): void {
  addCall(profiles, io, {
    name: 'show',
    summary: 'show a profile with its secrets masked',
    examples: ['profiles show APP_ID mi _default'],
    args: ARGS,
    request: (names) => ['GET', pathOf(names)],
    ...oneProfile,
  });
}

function addList(profiles: Command, io: Io): void {
  addCall(profiles, io, {
    name: 'list',
    summary: 'list the profiles of an app',
    examples: ['profiles list APP_ID'],
    args: [APP],
    request: ([app]) => ['GET', ['apps', app, 'profiles']],
    ...tableOf({
      item: profileSchema,
      head: ['CHANNEL', 'PROFILE', 'RECEIPT URL', 'LAST TEST', 'RECEIPT SEEN'],
      row: ({ channel, profile, lastTest, receiptSeenAt, receiptUrl }) => [
        ...[channel, profile, receiptUrl],
        ...[lastTest && `${lastTest.at} ${lastTest.ok ? 'passed' : 'failed'}`, receiptSeenAt],
      ],
    }),
  });
}

function addDelete(profiles: Command, io: Io): void {
  addConfirmed(profiles, {
    name: 'delete',
    does: 'delete the profile',
    summary: 'delete a profile, for good',
    examples: examplesWithYes('profiles delete APP_ID mi _default'),
    args: ARGS,
  }).action(async (...[app, channel, profile, options]: [string, string, string, CommonOptions & ConfirmOptions]) => {
    const { api, show } = openSession(io, options);
    const path = pathOf([app, channel, profile]);
    if (options.yes !== true) {
      // Where there is none, that is what has to be said.
      await api.request('GET', path);
      throw notConfirmed(
        `${channel}/${profile} goes with its credentials for good, and its devices are not reached any more; --yes deletes it`,
      );
    }
    show(await api.request('DELETE', path), emptySchema, () => `deleted ${channel}/${profile}\n`);
  });
}

function addTest(profiles: Command, io: Io): void {
  addLeaf(profiles, {
    name: 'test',
    summary: 'ask the vendor whether the credentials are right; exits 1 when they are not',
    examples: ['profiles test APP_ID mi _default'],
    args: ARGS,
  }).action(async (...[app, channel, profile, options]: [string, string, string, CommonOptions]) => {
    const { api, show } = openSession(io, options);
    const answer = await api.request('POST', [...pathOf([app, channel, profile]), 'test']);
    show(answer, testSchema, testText);
    if (testSchema.safeParse(answer).data?.ok !== true) throw new RequestError('the credentials did not pass the test');
  });
}

const oneProfile = {
  schema: profileSchema,
  toText: (profile: z.output<typeof profileSchema>): string =>
    fields(Object.entries(profile).map(([name, value]) => [name, cellOf(value)])),
};

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

const testText = ({ ok, vendorCode, vendorMessage }: z.output<typeof testSchema>): string =>
  fields([
    ['ok', ok],
    ['vendor code', vendorCode ?? undefined],
    ['vendor message', vendorMessage ?? undefined],
  ]);
