import { type ShownText } from '@pushfleet/channel-kit';
import {
  bucketOfProfile,
  costsOf,
  groupBy,
  OWN_CHANNEL,
  sum,
  type DiscardReason,
  type PushWarning,
  type WaitReason,
} from '@pushfleet/domain';
import { secondsFor, type PreflightCount, type PreflightCounts, type Waits } from '@pushfleet/store';
import { type MessageFate, type MessageFates } from './message-fates';

/** What an answer is made of beside the counts: it may be asked for later, and of another process. */
export interface PreflightFrame {
  readonly app: string;
  readonly fates: MessageFates;
  readonly warnings: readonly PushWarning[];
  readonly pushTime: number;
  readonly flowControl?: number | undefined;
  /** Devices that the app may still reach today; absent: as many as it likes. */
  readonly deliveriesLeft?: number | undefined;
}

export interface PreflightChannel {
  readonly matched: number;
  readonly sendable: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly bytes: number;
  readonly truncated: number;
  readonly estimatedSeconds: number;
  readonly waiting?: readonly { readonly profile: string; readonly reason: WaitReason; readonly until?: string }[];
  readonly margin?: number;
  /** Of the profile with the most devices. */
  readonly shown?: ShownText;
}

export interface PreflightAnswer {
  readonly preflight: true;
  readonly devices: number;
  readonly exact: boolean;
  readonly margin?: number;
  readonly channels: Readonly<Record<string, PreflightChannel>>;
  readonly warnings: readonly PushWarning[];
  /** Columns whose indexes would spare a push to such an audience reading all installations. */
  readonly index?: readonly string[];
}

/** Devices of one profile, or without one, with what keeps them from being sent. */
interface Part extends PreflightCount {
  readonly bytes: number;
  readonly truncated: number;
  readonly notes: readonly string[];
  readonly seconds: number;
  readonly shown?: ShownText | undefined;
  readonly wait?: NonNullable<PreflightChannel['waiting']>[number];
}

type Ahead = Awaited<ReturnType<Waits['ahead']>>[number];

export async function dryRunAnswer(
  waits: Pick<Waits, 'ahead'>,
  frame: PreflightFrame,
  { counts, isDirect, problem, index }: PreflightCounts,
): Promise<PreflightAnswer> {
  const byChannel = groupBy(counts, ({ channel }) => channel);
  const parts = await Promise.all(
    [...byChannel.keys()].sort().map(async (channel): Promise<readonly [string, readonly Part[]]> => {
      const group = byChannel.get(channel) ?? [];
      const { app, pushTime } = frame;
      const pushes = group.map(({ profile = '' }) => ({ app, profile, pushTime, isDirect }));
      const ahead = await waits.ahead(channel, pushes);
      return [channel, group.map((count, i) => partOf(frame, count, ahead[i]))];
    }),
  );
  const all = parts.flatMap(([, group]) => group);
  const paced = secondsFor(costsOf({}, { calls: 0, devices: total(all, 'sendable'), flowControl: frame.flowControl }));
  return {
    preflight: true,
    devices: total(all, 'matched'),
    exact: all.every(({ margin }) => margin === 0),
    ...marginOf(all),
    channels: Object.fromEntries(parts.map(([channel, group]) => [channel, channelOf(group, paced)])),
    warnings: [
      ...frame.warnings,
      ...parts.flatMap(([channel, group]) => notesOf(channel, group)),
      ...(problem === undefined ? [] : [{ path: 'where', message: `${problem}; the push would reach nobody` }]),
      ...quotaWarnings(frame, total(all, 'sendable')),
    ],
    ...(index === undefined ? {} : { index }),
  };
}

/** In the order in which a worker decides: an operator, the message, the devices. */
function partOf({ fates }: PreflightFrame, count: PreflightCount, ahead: Ahead): Part {
  const { channel, profile, matched } = count;
  const fate = profile === undefined ? undefined : fates[bucketOfProfile(channel, profile)];
  if (profile === undefined || !fate) return { ...count, ...NOTHING };
  const unsent = { ...count, ...NOTHING, sendable: 0, calls: 0, notes: fate.notes };
  if (ahead === 'discarding') return { ...unsent, discarded: { 'channel-unavailable': matched } };
  if (fate.discard !== undefined) return { ...unsent, discarded: withRefusal(count, fate.discard) };
  return { ...sentAs(count, fate), ...waitOf(profile, count, ahead) };
}

const NOTHING = { bytes: 0, truncated: 0, notes: [], seconds: 0 };

const withRefusal = ({ discarded, sendable }: PreflightCount, reason: DiscardReason): PreflightCount['discarded'] => ({
  ...discarded,
  [reason]: (discarded[reason] ?? 0) + sendable,
});

function sentAs(count: PreflightCount, { bytes, notes, budget, truncated, shown }: MessageFate): Part {
  const { calls, sendable } = count;
  const seconds = secondsFor(costsOf(budget, { calls, devices: sendable }));
  return { ...count, bytes, notes, seconds, shown, truncated: truncated ? sendable : 0 };
}

function waitOf(profile: string, { sendable }: PreflightCount, ahead: Ahead): Pick<Part, 'wait'> {
  if (ahead === undefined || ahead === 'discarding' || sendable === 0) return {};
  const until = ahead.until === undefined ? {} : { until: new Date(ahead.until).toISOString() };
  return { wait: { profile, reason: ahead.reason, ...until } };
}

function channelOf(parts: readonly Part[], pacedSeconds: number): PreflightChannel {
  const sendable = total(parts, 'sendable');
  const waiting = parts.flatMap(({ wait }) => (wait ? [wait] : []));
  const seconds = sendable === 0 ? 0 : Math.max(pacedSeconds, ...parts.map((part) => part.seconds));
  return {
    matched: total(parts, 'matched'),
    sendable,
    discarded: discardsOf(parts),
    calls: total(parts, 'calls'),
    bytes: Math.max(...parts.map(({ bytes }) => bytes)),
    truncated: total(parts, 'truncated'),
    estimatedSeconds: Math.ceil(seconds * 10) / 10,
    ...(waiting.length === 0 ? {} : { waiting }),
    ...marginOf(parts),
    ...shownBy(parts),
  };
}

function shownBy(parts: readonly Part[]): { readonly shown?: ShownText } {
  const most = parts.reduce((a, b) => (b.sendable > a.sendable ? b : a));
  return most.shown ? { shown: most.shown } : {};
}

function discardsOf(parts: readonly Part[]): Readonly<Record<string, number>> {
  const reasons = new Set(parts.flatMap(({ discarded }) => Object.keys(discarded)));
  const countOf = (reason: string): number =>
    parts.reduce((all, { discarded }) => all + ((discarded as Record<string, number>)[reason] ?? 0), 0);
  return Object.fromEntries([...reasons].map((reason) => [reason, countOf(reason)]).filter(([, count]) => count !== 0));
}

const total = (parts: readonly Part[], field: 'matched' | 'sendable' | 'calls' | 'truncated'): number =>
  sum(Object.fromEntries(parts.map((part, i) => [i, part[field]])));

/** Deviations by chance rarely add up. */
function marginOf(parts: readonly Part[]): { readonly margin?: number } {
  const margin = Math.ceil(Math.hypot(...parts.map((part) => part.margin)));
  return margin === 0 ? {} : { margin };
}

function notesOf(channel: string, parts: readonly Part[]): readonly PushWarning[] {
  const notes = new Set(parts.flatMap((part) => (part.matched > 0 ? part.notes : [])));
  return channel === OWN_CHANNEL ? [] : [...notes].map((message) => ({ path: channel, message }));
}

function quotaWarnings({ deliveriesLeft }: PreflightFrame, sendable: number): readonly PushWarning[] {
  if (deliveriesLeft === undefined || sendable <= deliveriesLeft) return [];
  const rest = sendable - deliveriesLeft;
  const message = `${deliveriesLeft} devices are left of the day's; ${rest} would be discarded as quota-exceeded`;
  return [{ path: 'limits.deliveriesPerDay', message }];
}
