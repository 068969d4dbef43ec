import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { type BenchApp, type BenchFleet } from './bench-fleet';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { channelOf, fillChannels } from './channel';

const PUSHES = 1000;
const WITHIN_MS = 1000;
const ROUNDS = 5;
/** How long the vendor takes for a call: one that answers at once leaves no processor beside a campaign, real ones take 50 to 300 ms. */
const ANSWERS_MS = [0, 50, 200] as const;
/** The limit for the last push of a burst beside a campaign. */
const LAST_WITHIN_SECONDS = 5;

/** Posts a push to a channel of one subscriber every ms; resolves with the seconds until the last of them is booked. */
async function burst(fleet: BenchFleet, app: BenchApp, channels: number): Promise<number> {
  const startedAt = Date.now();
  const posted: Promise<string>[] = [];
  while (posted.length < PUSHES) {
    const due = Math.min(PUSHES, Math.ceil((PUSHES * (Date.now() - startedAt + 1)) / WITHIN_MS));
    while (posted.length < due) {
      const i = posted.length;
      posted.push(
        fleet.push(app, { channels: [channelOf(i % channels)], data: { alert: `Your turn: ${i}`, order: i } }),
      );
    }
    await delay(1);
  }
  const pushIds = await Promise.all(posted);
  const ends = await Promise.all(pushIds.map((pushId) => doneAt(fleet, pushId)));
  return (Math.max(...ends) - startedAt) / 1000;
}

function doneAt({ store }: BenchFleet, pushId: string): Promise<number> {
  const read = async (): Promise<number | undefined> => {
    const record = await store.pushes.read(pushId);
    return record?.status === 'done' ? record.updatedAt : undefined;
  };
  return until(read, { timeoutMs: 300_000, everyMs: 250 }) as Promise<number>;
}

async function campaign(fleet: BenchFleet, app: BenchApp): Promise<number> {
  const { createdAt, updatedAt } = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello' } }));
  return (Date.parse(updatedAt) - Date.parse(createdAt)) / 1000;
}

type Round = Readonly<Record<'alone' | 'beside' | 'last' | 'lastAlone', number>>;

async function oneRound(fleet: BenchFleet, app: BenchApp, channels: number): Promise<Round> {
  const alone = await campaign(fleet, app);
  const lastAlone = await burst(fleet, app, channels);
  const [beside, last] = await Promise.all([campaign(fleet, app), burst(fleet, app, channels)]);
  return { alone, lastAlone, beside, last };
}

const median = (rounds: readonly Round[], name: keyof Round): number => medianOf(rounds.map((one) => one[name]));

const detailsOf = (answerMs: number, rounds: readonly Round[]): Readonly<Record<string, number>> => {
  const at = answerMs === 0 ? '' : `, answers after ${answerMs} ms`;
  return {
    [`the last of the burst, s${at}`]: median(rounds, 'last'),
    [`campaign alone, s${at}`]: median(rounds, 'alone'),
    [`campaign beside it, s${at}`]: median(rounds, 'beside'),
    [`campaign: alone / beside${at}`]: medianOf(rounds.map(({ alone, beside }) => alone / beside)),
  };
};

async function run(fleet: BenchFleet, { size = 200_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  const { length: channels } = await fillChannels(fleet, app, size);
  progress('warming up');
  for (let i = 0; i < 3; i += 1) await Promise.all([campaign(fleet, app), burst(fleet, app, channels)]);
  const rounds = new Map<number, Round[]>(ANSWERS_MS.map((answerMs) => [answerMs, []]));
  for (const [answerMs, known] of rounds) {
    await fleet.answerAfter(answerMs);
    // This one tells the worker what its vendor is like now.
    await campaign(fleet, app);
    for (let round = 1; round <= ROUNDS; round += 1) {
      progress(`answers after ${answerMs} ms, round ${round} of ${ROUNDS}: each alone, then both`);
      known.push(await oneRound(fleet, app, channels));
    }
  }
  const atOnce = rounds.get(0) ?? [];
  return {
    ratio: LAST_WITHIN_SECONDS / median(atOnce, 'last'),
    value: median(atOnce, 'last'),
    baseline: median(atOnce, 'lastAlone'),
    config: { devices: size, pushes: PUSHES, rounds: ROUNDS, workers: 1 },
    details: Object.fromEntries([...rounds].flatMap(([answerMs, known]) => Object.entries(detailsOf(answerMs, known)))),
  };
}

export const burstBeside: Benchmark = {
  name: 'burst',
  measures:
    'seconds until the last of 1,000 pushes by channel, posted in one, is booked beside a campaign; ratio = 5 s / it',
  mustReach: 1,
  goal: 2,
  unit: 's until the last is booked',
  workers: ['hms'],
  run,
};
