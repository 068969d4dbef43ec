import { until } from '@pushfleet/testing';
import { anInstallation, type BenchApp, type BenchFleet } from './bench-fleet';
import { medianOf, timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { CONNECTIONS, poster, rateOf } from './post-rate';

/** Channels of one subscriber each. */
const CHANNELS = 10_000;
/** Many short turns, so that a machine whose speed changes changes it for both. */
const ROUNDS = 20;
const PUSHES = 500;
/** A service runs for weeks: what its compiler does in the first seconds is not what is asked. */
const WARM_UP = 3000;
const ROWS = 5000;

/** Stores an app whose first installations have a channel of their own; resolves with the installationIds of these. */
export async function fillChannels(fleet: BenchFleet, app: BenchApp, size: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < size; from += ROWS) {
    const rows = Array.from({ length: Math.min(ROWS, size - from) }, (_, i) => {
      const { objectId, doc } = anInstallation();
      if (from + i >= CHANNELS) return { objectId, doc };
      ids.push(String(doc['installationId']));
      return { objectId, doc: { ...doc, channels: [channelOf(from + i)] } };
    });
    await fleet.store.installations.import(app.id, rows);
  }
  await until(() => fleet.store.installations.channels.isSound(app.id), { timeoutMs: 600_000, everyMs: 100 });
  return ids;
}

export const channelOf = (i: number): string => `user-${i}`;

async function rates(fleet: BenchFleet, { size, progress }: { size: number; progress: BenchOptions['progress'] }) {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  const ids = await fillChannels(fleet, app, size);
  const post = poster(fleet, app);
  let sent = 0;
  const pushes = (count: number, to: (i: number) => object): Promise<number> =>
    rateOf(fleet, count, () =>
      timed(count, CONNECTIONS, () => {
        sent += 1;
        return post('/push', {
          ...to(sent % ids.length),
          data: { alert: `Your code is ${sent}`, order: sent },
        });
      }),
    );
  const byChannel = (count: number) => pushes(count, (i) => ({ channels: [channelOf(i)] }));
  const byId = (count: number) => pushes(count, (i) => ({ where: { installationId: ids[i] } }));

  progress('warming up');
  await byId(WARM_UP);
  await byChannel(WARM_UP);
  const found: Record<'value' | 'baseline', number>[] = [];
  progress(`${ROUNDS} rounds: ${PUSHES} pushes by installationId, ${PUSHES} by channel`);
  while (found.length < ROUNDS) found.push({ baseline: await byId(PUSHES), value: await byChannel(PUSHES) });
  return {
    value: medianOf(found.map((one) => one.value)),
    baseline: medianOf(found.map((one) => one.baseline)),
    ratio: medianOf(found.map(({ value, baseline }) => value / baseline)),
  };
}

async function run(fleet: BenchFleet, { size = 200_000, progress }: BenchOptions): Promise<Figures> {
  const { value, baseline, ratio } = await rates(fleet, { size, progress });
  return {
    ratio,
    value,
    baseline,
    config: {
      devices: size,
      channels: Math.min(CHANNELS, size),
      pushes: PUSHES,
      rounds: ROUNDS,
      connections: CONNECTIONS,
      warmUp: WARM_UP,
      processes: 'ingress 1, dispatcher 1, worker 1',
    },
  };
}

export const channel: Benchmark = {
  name: 'channel',
  measures: 'pushes/s by a channel of one subscriber, from accept to vendor call, against the same by installationId',
  mustReach: 0.7,
  goal: 0.9,
  unit: 'pushes/s',
  workers: ['hms'],
  run,
};
