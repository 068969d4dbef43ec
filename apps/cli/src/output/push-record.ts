import { DESCRIBED_REASONS, writeJson } from '@pushfleet/domain';
import { z } from 'zod';
import { optionalTexts } from './optional-texts';
import { fields, table } from './table';

const counts = z.record(z.string(), z.number());

const columnSchema = z.looseObject({
  matched: z.number(),
  accepted: z.number(),
  delivered: z.number(),
  discarded: counts,
  failed: counts,
  outstanding: z.number(),
});

const errorSchema = z.looseObject({
  channel: z.string(),
  reason: z.string(),
  count: z.number(),
  vendorCode: z.string().optional(),
  vendorMessage: z.string().optional(),
  action: z.string(),
  samples: z.array(z.string()).optional(),
});

const warningSchema = z.looseObject({ channel: z.string(), message: z.string(), count: z.number() });

const waitSchema = z.looseObject({
  channel: z.string(),
  profile: z.string(),
  reason: z.string(),
  until: z.string(),
  devices: z.number(),
});

const installationSchema = z.looseObject({
  objectId: z.string(),
  outcome: z.string(),
  ...optionalTexts('channel', 'reason', 'vendorCode', 'vendorMessage', 'action', 'message'),
});

export const pushSchema = z.looseObject({
  objectId: z.string(),
  notificationId: z.string(),
  status: z.string(),
  createdAt: z.string(),
  'push-time': z.string().optional(),
  expiresAt: z.string().optional(),
  estimatedDoneAt: z.string().optional(),
  cancelled: z.boolean().optional(),
  cancelledAt: z.string().optional(),
  notSent: z.number().optional(),
  msg: z.looseObject({}).optional(),
  where: z.looseObject({}).optional(),
  devices: z.number(),
  successes: z.number(),
  channels: z.record(z.string(), columnSchema),
  errors: z.array(errorSchema),
  warnings: z.array(warningSchema).optional(),
  waiting: z.array(waitSchema).optional(),
  installation: installationSchema.optional(),
});

export type Push = z.output<typeof pushSchema>;

/** What was sent, to whom and when, and the books, a line per channel. */
export function pushText(push: Push): string {
  const { 'push-time': pushTime, ...times } = push;
  const summary = fields([
    ['push', push.objectId],
    ['notification', push.notificationId],
    ['status', statusOf(push)],
    ['cancelled', push.cancelledAt],
    ['not sent', push.notSent],
    ['text', textOf(push)],
    ['audience', audienceOf(push)],
    ['created', push.createdAt],
    ['push time', pushTime === push.createdAt ? undefined : pushTime],
    ['expires', times.expiresAt],
    ['done by about', times.estimatedDoneAt],
    ['devices', push.devices],
    ['successes', push.successes],
  ]);
  const parts = [
    summary,
    booksText(push),
    waitingText(push),
    errorsText(push),
    samplesText(push),
    remediesText(push),
    warningsText(push),
    installationText(push),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

export const statusOf = ({ status, cancelled, notSent }: Push): string => {
  if (cancelled !== true) return status;
  return `${status} (cancelled${notSent === undefined ? '' : `, ${notSent} not sent`})`;
};

const MAX_TEXT = 60;

/** The text that a device shows, as far as one line tells it; `undefined` where sections differ, or nothing is shown. */
export function textOf({ msg = {} }: Push): string | undefined {
  const { alert } = msg;
  const { title, body } = isObject(alert) ? alert : { title: msg['title'], body: alert };
  const words = [title, body].filter((part) => typeof part === 'string' && part !== '').join(': ');
  if (words === '') return undefined;
  return words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT - 1)}…` : words;
}

const audienceOf = ({ where = {} }: Push): string =>
  Object.keys(where).length === 0 ? 'everybody' : shortened(writeJson(where));

const MAX_AUDIENCE = 200;

const shortened = (text: string): string => (text.length > MAX_AUDIENCE ? `${text.slice(0, MAX_AUDIENCE - 1)}…` : text);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function booksText({ channels }: Push): string {
  const rows = Object.entries(channels).map(([channel, books]) => [
    channel,
    books.matched,
    books.accepted,
    books.delivered,
    byReason(books.discarded),
    byReason(books.failed),
    books.outstanding,
  ]);
  if (rows.length === 0) return '';
  return table(['CHANNEL', 'MATCHED', 'ACCEPTED', 'DELIVERED', 'DISCARDED', 'FAILED', 'OUTSTANDING'], rows);
}

function byReason(reasons: Readonly<Record<string, number>>): string {
  const booked = Object.entries(reasons).filter(([, count]) => count !== 0);
  return booked.length === 0 ? '0' : booked.map(([reason, count]) => `${reason} ${count}`).join(', ');
}

function errorsText({ errors }: Push): string {
  if (errors.length === 0) return '';
  return table(
    ['CHANNEL', 'REASON', 'COUNT', 'VENDOR CODE', 'ACTION', 'VENDOR MESSAGE'],
    errors.map((e) => [e.channel, e.reason, e.count, e.vendorCode, e.action, e.vendorMessage]),
  );
}

const SAMPLES_SHOWN = 3;

/** Some of the devices of each refusal; `--json` has all that the record keeps. */
function samplesText({ errors }: Push): string {
  const rows = errors.flatMap(({ channel, reason, samples = [] }) =>
    samples.length === 0 ? [] : [[channel, reason, samples.slice(0, SAMPLES_SHOWN).join(' ')]],
  );
  return rows.length === 0 ? '' : table(['CHANNEL', 'REASON', 'FOR EXAMPLE'], rows);
}

/** What to do about each reason that the record gives. */
function remediesText({ errors, waiting = [] }: Push): string {
  const ended = new Set(errors.map(({ reason }) => reason));
  const held = new Set(waiting.map(({ reason }) => reason));
  const rows = DESCRIBED_REASONS.filter(({ reason, kind }) => (kind === 'waiting' ? held : ended).has(reason));
  if (rows.length === 0) return '';
  return table(
    ['REASON', 'WHAT TO DO'],
    rows.map(({ reason, remedy }) => [reason, remedy]),
  );
}

/** What is not being sent at the moment, and why. */
function waitingText({ waiting = [] }: Push): string {
  if (waiting.length === 0) return '';
  return table(
    ['CHANNEL', 'PROFILE', 'WAITING', 'REASON', 'UNTIL'],
    waiting.map(({ channel, profile, devices, reason, until }) => [channel, profile, devices, reason, until]),
  );
}

/** What channels left out of messages that they sent. */
function warningsText({ warnings = [] }: Push): string {
  if (warnings.length === 0) return '';
  return table(
    ['CHANNEL', 'DEVICES', 'WARNING'],
    warnings.map(({ channel, count, message }) => [channel, count, message]),
  );
}

function installationText({ installation }: Push): string {
  if (!installation) return '';
  const { objectId, outcome, channel, reason, vendorCode, vendorMessage, action, message } = installation;
  return fields([
    ['installation', objectId],
    ['outcome', outcome],
    ['channel', channel],
    ['reason', reason],
    ['vendor code', vendorCode],
    ['vendor message', vendorMessage],
    ['action', action],
    ['note', message],
  ]);
}
