import { z } from 'zod';
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
});

const warningSchema = z.looseObject({ channel: z.string(), message: z.string(), count: z.number() });

const waitSchema = z.looseObject({
  ...{ channel: z.string(), profile: z.string(), reason: z.string(), until: z.string(), devices: z.number() },
});

const installationSchema = z.looseObject({
  objectId: z.string(),
  outcome: z.string(),
  channel: z.string().optional(),
  reason: z.string().optional(),
  vendorCode: z.string().optional(),
  vendorMessage: z.string().optional(),
  action: z.string().optional(),
  message: z.string().optional(),
});

export const pushSchema = z.looseObject({
  objectId: z.string(),
  notificationId: z.string(),
  status: z.string(),
  createdAt: z.string(),
  devices: z.number(),
  successes: z.number(),
  channels: z.record(z.string(), columnSchema),
  errors: z.array(errorSchema),
  warnings: z.array(warningSchema).optional(),
  waiting: z.array(waitSchema).optional(),
  installation: installationSchema.optional(),
});

export type Push = z.output<typeof pushSchema>;

/** The books of a push, a line per channel. */
export function pushText(push: Push): string {
  const summary = fields([
    ['push', push.objectId],
    ['notification', push.notificationId],
    ['status', push.status],
    ['created', push.createdAt],
    ['devices', push.devices],
    ['successes', push.successes],
  ]);
  const parts = [
    summary,
    booksText(push),
    waitingText(push),
    errorsText(push),
    warningsText(push),
    installationText(push),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

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
