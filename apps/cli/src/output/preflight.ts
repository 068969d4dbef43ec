import { z } from 'zod';
import { thousands } from './progress';
import { table } from './table';

const channelSchema = z.looseObject({
  matched: z.number(),
  sendable: z.number(),
  calls: z.number(),
  bytes: z.number(),
  truncated: z.number(),
  estimatedSeconds: z.number(),
  discarded: z.record(z.string(), z.number()),
  waiting: z.array(z.looseObject({ profile: z.string(), reason: z.string(), until: z.string().optional() })).optional(),
});

export const preflightSchema = z.looseObject({
  preflight: z.literal(true),
  devices: z.number(),
  exact: z.boolean(),
  margin: z.number().optional(),
  channels: z.record(z.string(), channelSchema),
  warnings: z.array(z.looseObject({ path: z.string(), message: z.string() })),
  index: z.array(z.string()).optional(),
});

type Preflight = z.output<typeof preflightSchema>;

/** What a push would reach, a line for each channel. */
export function preflightText({ devices, exact, margin = 0, channels, warnings, index }: Preflight): string {
  const rows = Object.entries(channels).map(([channel, told]) => [
    ...[channel, told.matched, told.sendable, countsOf(told.discarded), told.calls, told.bytes, told.truncated],
    ...[told.estimatedSeconds, (told.waiting ?? []).map(({ profile, reason }) => `${profile}: ${reason}`).join(', ')],
  ]);
  const head = ['CHANNEL', 'MATCHED', 'SENDABLE', 'DISCARDED', 'CALLS', 'BYTES', 'CUT', 'SECONDS', 'WAITS'];
  return [
    rows.length === 0 ? '' : table(head, rows),
    `devices: ${thousands(devices)}${exact ? '' : `, by a sample: up to ${thousands(margin)} more or fewer`}\n`,
    ...warnings.map(({ path, message }) => `${path}: ${message}\n`),
    index === undefined ? '' : `an index would answer sooner, of: ${index.join(', ')} (pushfleet indexes add)\n`,
  ].join('');
}

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
