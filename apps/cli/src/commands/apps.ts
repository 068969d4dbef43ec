import { writeJson } from '@pushfleet/domain';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../errors';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { thousands } from '../output/progress';
import { fields, table, type Cell } from '../output/table';
import { listedPurgeSchema, purgedAppSchema, purgedText, purgingText, untilPurged } from '../output/purge';
import { addKeyCommands } from './app-keys';
import { addReach } from './app-reach';
import { appSchema, appWithKeysSchema, replacedOf } from './app-schemas';
import { APP } from './arguments';
import { addCall, emptySchema, expected, listOf, openSession, type CommonOptions, type Session } from './command';
import { addConfirmed, examplesWithYes, notConfirmed, type ConfirmOptions } from './confirmation';
import { groupOf } from './group-of';
import { duration, names, onOff, wholeNumber, wholeNumberOrDefault } from './option-values';

const shownSchema = z.union([appWithKeysSchema, purgedAppSchema]);
const appListSchema = listOf(appSchema).extend({
  purging: z.array(listedPurgeSchema).default([]),
  unreadable: z.array(z.string()).default([]),
});

const keysFileSchema = z.strictObject({ key: z.string().optional(), masterKey: z.string().optional() });

const editionOption = () =>
  new Option('--edition <edition>', 'edition of the app').choices(['developer', 'commercial']);

export const addAppCommands = groupOf('apps', 'create, show and change apps', [
  addCreate,
  addList,
  addShow,
  addRoom,
  addReach,
  addUpdate,
  addDelete,
  addKeyCommands,
]);

interface CreateOptions extends CommonOptions {
  readonly edition: string;
  readonly id?: string;
  readonly keysFile?: string;
}

function addCreate(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'create',
    summary: 'create an app, with generated or given credentials',
    examples: [
      'apps create "My app" --edition commercial',
      'apps create "My app" --id 7kDvyUzAQ0fQ8wLY-gzGzoHsz --keys-file keys.json',
      `apps create "My app" --keys-file - < keys.json      # {"key": "…", "masterKey": "…"}`,
    ],
    args: [['<name>', 'name of the app']],
    request: async ([name], { edition, id, keysFile }: CreateOptions) => {
      const keys = keysFile === undefined ? {} : await readKeys(io, keysFile);
      return ['POST', ['apps'], { body: { name, edition, ...(id === undefined ? {} : { id }), ...keys } }];
    },
    schema: appWithKeysSchema,
    toText: appText,
  })
    .addOption(editionOption().default('developer'))
    .option('--id <id>', 'id to keep, 9 to 64 characters')
    .option('--keys-file <path>', 'JSON file with key and masterKey to keep; - for standard input');
}

async function readKeys(io: Io, path: string): Promise<z.output<typeof keysFileSchema>> {
  const parsed = keysFileSchema.safeParse(await readJsonObject(io, path));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path}: must hold only key and masterKey, both text`);
}

function addList(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'list',
    summary: 'list all apps',
    examples: ['apps list', 'apps list --json'],
    request: () => ['GET', ['apps']],
    schema: appListSchema,
    toText: ({ results, purging, unreadable }) =>
      table(
        ['ID', 'NAME', 'EDITION', 'HYBRID'],
        results.map(({ id, name, edition, hybrid }) => [id, name, edition, onOffText(hybrid)]),
      ).concat(purgingText(purging), ...unreadable.map((id) => `${id}: its record in Redis is damaged, see doctor\n`)),
  });
}

function addShow(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'show',
    summary: 'show an app with its keys',
    examples: ['apps show APP_ID'],
    args: [APP],
    request: ([app]) => ['GET', ['apps', app]],
    schema: shownSchema,
    toText: (shown) => ('key' in shown ? appText(shown) : purgedText(shown)),
  });
}

const roomSchema = z.looseObject({
  installations: z.number(),
  bytes: z.number(),
  messagingBytes: z.number().optional(),
  unconfirmed: z.number(),
  ceiling: z.looseObject({ installations: z.number().nullable(), bytes: z.number().nullable() }),
  evicted: z.number(),
  lastEvictedAt: z.string().optional(),
  deliveriesToday: z.number().optional(),
});

function addRoom(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'room',
    summary: 'what the installations of an app take, and what they may; devices reached today, where they are limited',
    examples: ['apps room APP_ID'],
    args: [APP],
    request: ([app]) => ['GET', ['apps', app, 'room']],
    schema: roomSchema,
    toText: ({ ceiling, ...room }) =>
      fields([
        ['installations', `${room.installations} of ${ceiling.installations ?? 'any number'}`],
        ['bytes', `${room.bytes} of ${ceiling.bytes ?? 'any number'}`],
        ['of mutes and bindings', room.messagingBytes],
        ['unconfirmed', room.unconfirmed],
        ['evicted', room.evicted],
        ['last evicted', room.lastEvictedAt ?? 'never'],
        ['reached today', room.deliveriesToday],
      ]),
  });
}

/** Named as the API names the settings, but for those of `masterOnly` and `limits`. */
interface UpdateOptions extends CommonOptions, AppChange {
  /** A path. */
  readonly offlinePush?: string;
  readonly masterOnlyColumns?: readonly string[];
  readonly masterOnlyChannels?: readonly string[];
}

type AppChange = Readonly<Record<string, unknown>>;

function addUpdate(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'update',
    summary: 'change settings of an app',
    examples: ['apps update APP_ID --edition commercial --hybrid on', 'apps update APP_ID --calls-per-minute 0'],
    args: [APP],
    request: async ([app], { offlinePush: path, ...options }: UpdateOptions) => {
      const body = { ...changeOf(options), ...(path === undefined ? {} : await offlinePushIn(io, path)) };
      if (Object.keys(body).length === 0) throw new UsageError('nothing to change: give at least one setting');
      return ['PATCH', ['apps', app], { body }];
    },
    schema: appWithKeysSchema,
    toText: settingsText,
  })
    .option('--name <name>', 'name of the app')
    .addOption(editionOption())
    .option('--hybrid <on|off>', 'send through the vendor of each device; needs the commercial edition', onOff)
    .option('--client-push <on|off>', 'allow pushes with the app key', onOff)
    .option('--installation-queries <on|off>', 'allow queries of installations with the app key', onOff)
    .option('--push-queries <on|off>', 'allow reading what was pushed, and to whom, with the app key', onOff)
    .option('--chat-by-channel <on|off>', 'count channels of devices that are client ids as bindings', onOff)
    .option(
      '--offline-push <path>',
      'JSON file with what an offline message pushes; - for standard input, none to end it',
    )
    .addOption(new Option('--overlong <rule>', 'text over a vendor’s limit').choices(['truncate', 'reject']))
    .option('--intent-host <host>', 'host of the intent that a tap opens')
    .option('--master-only-columns <names>', 'columns that need the master key, with commas; "" for none', names)
    .option('--master-only-channels <prefixes>', 'the same for channels that begin with one of these', names)
    .option('--calls-per-minute <n>', 'pushes by app key per minute; 0 for no limit', wholeNumber)
    .option('--master-calls-per-minute <n>', 'pushes by master key per minute; 0 for no limit', wholeNumber)
    .option('--saves-per-second <n>', 'saves by app key from one address; 0 for no limit', wholeNumber)
    .option('--queries-per-second <n>', 'reads and queries by app key from one address; 0 for no limit', wholeNumber)
    .option('--deliveries-per-day <n>', 'devices per day; 0 for no limit', wholeNumber)
    .option('--installations <n>', 'most installations; 0 for no ceiling, or default', wholeNumberOrDefault)
    .option('--installations-bytes <n>', 'most bytes of Redis for them; 0, or default', wholeNumberOrDefault)
    .option('--push-lifetime-ms <ms>', 'life of a push that names no expiry, in ms or as 7d', duration);
}

const offlinePushIn = async (io: Io, path: string): Promise<AppChange> => ({
  offlinePush: path === 'none' ? null : await readJsonObject(io, path),
});

const LIMIT_NAMES: ReadonlySet<string> = new Set([
  ...['callsPerMinute', 'masterCallsPerMinute', 'savesPerSecond', 'queriesPerSecond'],
  ...['deliveriesPerDay', 'installations', 'installationsBytes', 'pushLifetimeMs'],
]);

function changeOf({ json, masterOnlyColumns, masterOnlyChannels, ...options }: UpdateOptions): AppChange {
  const entries = Object.entries(options);
  const limits = Object.fromEntries(
    entries.flatMap(([name, value]) => (LIMIT_NAMES.has(name) ? [[name, value === 'default' ? null : value]] : [])),
  );
  const masterOnly = {
    ...(masterOnlyColumns ? { columns: masterOnlyColumns } : {}),
    ...(masterOnlyChannels ? { channelPrefixes: masterOnlyChannels } : {}),
  };
  return {
    ...Object.fromEntries(entries.filter(([name]) => !LIMIT_NAMES.has(name))),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(Object.keys(masterOnly).length > 0 ? { masterOnly } : {}),
  };
}

function addDelete(apps: Command, io: Io): void {
  addConfirmed(apps, {
    name: 'delete',
    does: 'delete the app',
    summary: 'delete an app for good: its keys at once, then everything that it had',
    examples: examplesWithYes('apps delete APP_ID', 'apps delete APP_ID --yes --no-wait'),
    args: [APP],
  })
    .option('--no-wait', 'return when its keys are gone, and leave the rest to the dispatchers')
    .action(async (app: string, options: CommonOptions & ConfirmOptions & { readonly wait: boolean }) => {
      const session = openSession(io, options);
      if (options.yes !== true) throw notConfirmed(await whatGoes(session, app));
      const begun = await session.api.request('DELETE', ['apps', app]);
      if (options.wait) await untilPurged(session, app);
      session.show(begun, emptySchema, () =>
        options.wait ? `deleted ${app}\n` : `deleted ${app}; what it had goes now: \`pushfleet apps show ${app}\`\n`,
      );
    });
}

async function whatGoes({ api }: Session, app: string): Promise<string> {
  const [shown, room] = await Promise.all([
    api.request('GET', ['apps', app]),
    api.request('GET', ['apps', app, 'room']),
  ]);
  const { name = app } = expected(z.looseObject({ name: z.string().optional() }), shown);
  const installations = thousands(expected(roomSchema, room).installations);
  return `"${name}" with its keys and profiles, ${installations} installations and all push records goes for good; --yes deletes it`;
}

type ShownApp = z.output<typeof appSchema>;

const appText = ({ key, masterKey, replacedKeys, ...app }: z.output<typeof appWithKeysSchema>): string =>
  fields([...settingsOf(app), ['key', key], ['master key', masterKey], ...replacedOf({ replacedKeys })]);

const settingsText = (app: ShownApp): string => fields(settingsOf(app));

const settingsOf = ({ limits, masterOnly, ...app }: ShownApp): readonly (readonly [string, Cell])[] => [
  ['id', app.id],
  ['name', app.name],
  ['edition', app.edition],
  ['hybrid', onOffText(app.hybrid)],
  ['client push', onOffText(app.clientPush)],
  ['installation queries', onOffText(app.installationQueries)],
  ['push queries', onOffText(app.pushQueries)],
  ['chat by channel', onOffText(app.chatByChannel)],
  ['offline push', app.offlinePush === null ? 'none' : writeJson(app.offlinePush)],
  ['overlong', app.overlong],
  ['intent host', app.intentHost],
  ['master-only columns', masterOnly.columns.join(', ')],
  ['master-only channels', masterOnly.channelPrefixes.join(', ')],
  ['calls per minute', limits.callsPerMinute],
  ['master calls per minute', limits.masterCallsPerMinute],
  ['saves per second', limits.savesPerSecond],
  ['queries per second', limits.queriesPerSecond],
  ['deliveries per day', limits.deliveriesPerDay],
  ['installations', limits.installations ?? 'default'],
  ['bytes of installations', limits.installationsBytes ?? 'default'],
  ['push lifetime ms', limits.pushLifetimeMs],
];

const onOffText = (isOn: boolean): string => (isOn ? 'on' : 'off');
