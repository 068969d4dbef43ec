import { z } from 'zod';
import { table } from './table';

const depthSchema = z.record(z.string(), z.number());
const scope = { app: z.string().optional(), profile: z.string().optional(), since: z.string() };

export const channelSchema = z.looseObject({
  channel: z.string(),
  consumers: z.number(),
  controls: z.array(z.looseObject({ state: z.string(), ...scope })),
  breakers: z.array(z.looseObject({ state: z.string(), ...scope, nextProbeAt: z.string(), reason: z.string() })),
  heldPushes: z
    .array(
      z.looseObject({
        app: z.string(),
        profile: z.string(),
        pushId: z.string(),
        reason: z.string(),
        since: z.string(),
        nextProbeAt: z.string(),
        vendorCode: z.string().nullable(),
      }),
    )
    .default([]),
  vendorWaits: z
    .array(z.looseObject({ app: z.string(), profile: z.string(), reason: z.string(), until: z.string() }))
    .default([]),
  callLimits: z
    .array(
      z.looseObject({
        app: z.string(),
        profile: z.string(),
        queue: z.string(),
        workers: z.number(),
        allowed: z.number(),
        latencyMs: z.number().nullable(),
      }),
    )
    .default([]),
  direct: depthSchema,
  bulk: depthSchema,
});

type Channel = z.output<typeof channelSchema>;

const STATES = ['waiting', 'active', 'delayed'];

/** The queues of channels, and below them the calls that profiles may have in flight, and whatever keeps something from being sent. */
export function channelsText(channels: readonly Channel[]): string {
  const queues = table(
    ['CHANNEL', 'QUEUE', ...STATES.map((state) => state.toUpperCase()), 'WORKERS'],
    channels.flatMap(({ channel, consumers, direct, bulk }) => [
      [channel, 'direct', ...STATES.map((state) => direct[state] ?? 0), consumers],
      [channel, 'bulk', ...STATES.map((state) => bulk[state] ?? 0), consumers],
    ]),
  );
  const below = [
    [['CHANNEL', 'QUEUE', 'APP', 'PROFILE', 'CALLS ALLOWED', 'LATENCY MS', 'WORKERS'], channels.flatMap(limitsOf)],
    [['CHANNEL', 'STATE', 'APP', 'PROFILE', 'SINCE', 'REASON', 'NEXT PROBE'], channels.flatMap(stopsOf)],
  ] as const;
  return [queues, ...below.flatMap(([head, rows]) => (rows.length === 0 ? [] : table(head, rows)))].join('\n');
}

const limitsOf = ({ channel, callLimits }: Channel) =>
  callLimits.map(({ app, profile, queue, workers, allowed, latencyMs }) => [
    ...[channel, queue, app, profile],
    ...[allowed, latencyMs ?? '-', workers],
  ]);

const stopsOf = ({ channel, controls, breakers, heldPushes, vendorWaits }: Channel) => [
  ...controls.map(({ state, app, profile, since }) => [channel, state, app ?? 'all', profile ?? 'all', since]),
  ...breakers.map(({ state, app, profile, since, reason, nextProbeAt }) => [
    ...[channel, `breaker ${state}`, app, profile, since],
    ...[reason, nextProbeAt],
  ]),
  ...heldPushes.map(({ app, profile, pushId, since, reason, vendorCode, nextProbeAt }) => [
    ...[channel, `push ${pushId} waits`, app, profile, since],
    ...[vendorCode === null ? reason : `${reason} ${vendorCode}`, nextProbeAt],
  ]),
  ...vendorWaits.map(({ app, profile, reason, until }) => [
    channel,
    'vendor asked to wait',
    app,
    profile,
    '',
    reason,
    until,
  ]),
];
