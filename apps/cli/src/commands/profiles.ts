import type { Command } from 'commander';
import { z } from 'zod';
import { RequestError } from '../errors';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { fields, table } from '../output/table';
import { addLeaf, emptySchema, listOf, openSession, type CommonOptions, type Leaf } from './command';

const profileSchema = z.looseObject({ channel: z.string(), profile: z.string(), receiptUrl: z.string().optional() });

const testSchema = z.looseObject({
  ok: z.boolean(),
  vendorCode: z.string().nullable(),
  vendorMessage: z.string().nullable(),
});

export function addProfileCommands(program: Command, io: Io): void {
  const profiles = program.command('profiles').description("keep the vendors' credentials of an app");
  addPut(profiles, io);
  addShow(profiles, io);
  addList(profiles, io);
  addDelete(profiles, io);
  addTest(profiles, io);
}

const addProfileLeaf = (profiles: Command, leaf: Leaf): Command =>
  addLeaf(profiles, leaf)
    .argument('<app>', 'id of the app')
    .argument('<channel>', 'name of the channel, as `pushfleet channels list` shows it')
    .argument('<profile>', 'name of the profile; _default serves devices that name none');

const pathOf = (app: string, channel: string, profile: string): readonly string[] => [
  'apps',
  app,
  'profiles',
  channel,
  profile,
];

function addPut(profiles: Command, io: Io): void {
  addProfileLeaf(profiles, {
    name: 'put',
    summary: 'save a profile; a secret given as "***" keeps the stored one',
    examples: ['profiles put APP_ID mi _default --file mi.json', 'profiles put APP_ID mi _default --file - < mi.json'],
  })
    .requiredOption('--file <path>', 'JSON file with the profile; - for standard input')
    .action(async (...[app, channel, profile, options]: [string, string, string, CommonOptions & { file: string }]) => {
      const { api, show } = openSession(io, options);
      const body = await readJsonObject(io, options.file);
      show(await api.request('PUT', pathOf(app, channel, profile), { body }), profileSchema, profileText);
    });
}

function addShow(profiles: Command, io: Io): void {
  addProfileLeaf(profiles, {
    name: 'show',
    summary: 'show a profile with its secrets masked',
    examples: ['profiles show APP_ID mi _default'],
  }).action(async (...[app, channel, profile, options]: [string, string, string, CommonOptions]) => {
    const { api, show } = openSession(io, options);
    show(await api.request('GET', pathOf(app, channel, profile)), profileSchema, profileText);
  });
}

function addList(profiles: Command, io: Io): void {
  addLeaf(profiles, {
    name: 'list',
    summary: 'list the profiles of an app',
    examples: ['profiles list APP_ID'],
  })
    .argument('<app>', 'id of the app')
    .action(async (app: string, options: CommonOptions) => {
      const { api, show } = openSession(io, options);
      show(await api.request('GET', ['apps', app, 'profiles']), listOf(profileSchema), ({ results }) =>
        table(
          ['CHANNEL', 'PROFILE', 'RECEIPT URL'],
          results.map(({ channel, profile, receiptUrl }) => [channel, profile, receiptUrl]),
        ),
      );
    });
}

function addDelete(profiles: Command, io: Io): void {
  addProfileLeaf(profiles, {
    name: 'delete',
    summary: 'delete a profile, for good',
    examples: ['profiles delete APP_ID mi _default'],
  }).action(async (...[app, channel, profile, options]: [string, string, string, CommonOptions]) => {
    const { api, show } = openSession(io, options);
    const answer = await api.request('DELETE', pathOf(app, channel, profile));
    show(answer, emptySchema, () => `deleted ${channel}/${profile}\n`);
  });
}

function addTest(profiles: Command, io: Io): void {
  addProfileLeaf(profiles, {
    name: 'test',
    summary: 'ask the vendor whether the credentials are right; exits 1 when they are not',
    examples: ['profiles test APP_ID mi _default'],
  }).action(async (...[app, channel, profile, options]: [string, string, string, CommonOptions]) => {
    const { api, show } = openSession(io, options);
    const answer = await api.request('POST', [...pathOf(app, channel, profile), 'test']);
    show(answer, testSchema, testText);
    if (testSchema.safeParse(answer).data?.ok !== true) throw new RequestError('the credentials did not pass the test');
  });
}

const profileText = (profile: z.output<typeof profileSchema>): string =>
  fields(Object.entries(profile).map(([name, value]) => [name, cellOf(value)]));

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const testText = ({ ok, vendorCode, vendorMessage }: z.output<typeof testSchema>): string =>
  fields([
    ['ok', ok],
    ['vendor code', vendorCode ?? undefined],
    ['vendor message', vendorMessage ?? undefined],
  ]);
