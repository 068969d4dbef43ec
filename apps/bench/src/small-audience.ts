import type { JsonObject } from '@pushfleet/domain';
import { until } from '@pushfleet/testing';
import { anInstallation, type BenchApp, type BenchFleet } from './bench-fleet';
import { medianOf, timed, type BenchOptions, type Figures } from './benchmark';
import { CONNECTIONS, poster, rateOf } from './post-rate';

/** What names one device of an app beside its ids. */
export interface SmallAudience {
  /** What stands in the installation, by its number. */
  readonly fieldsOf: (i: number) => JsonObject;
  /** What the push to it asks for. */
  readonly to: (i: number) => object;
  /** Whether the fleet finds these devices by an index now, which takes a while after they are stored. */
  isReady(fleet: BenchFleet, app: BenchApp): Promise<boolean>;
}

/** Devices that pushes are sent to, among all of the app. */
export const NAMED = 10_000;
/** Both ways take many short turns, so that a machine that becomes slower slows both. */
const [ROUNDS, PUSHES] = [20, 500];
/** Pushes before the clock starts: the compiler of a new process is busy with its code at first. */
const WARM_UP = 3000;
const ROWS = 5000;
/** A dispatcher reads every record once before an index serves: here up to two million. */
const READY_WITHIN_MS = 1_800_000;

/** Stores an app; resolves with the installationIds of those that pushes are sent to, once these are looked up. */
export async function fillApp(
  fleet: BenchFleet,
  app: BenchApp,
  { size, audience }: { readonly size: number; readonly audience: SmallAudience },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < size; from += ROWS) {
    const rows = Array.from({ length: Math.min(ROWS, size - from) }, (_, i) => {
      const { objectId, doc } = anInstallation();
      if (from + i < NAMED) ids.push(String(doc['installationId']));
      return { objectId, doc: { ...doc, ...audience.fieldsOf(from + i) } };
    });
    await fleet.store.installations.import(app.id, rows);
  }
  await until(() => audience.isReady(fleet, app), { timeoutMs: READY_WITHIN_MS, everyMs: 250 });
  return ids;
}

/** Pushes a second to one device each by what names it, against the same by installationId. */
export async function smallAudienceRates(
  fleet: BenchFleet,
  audience: SmallAudience,
  { size = 200_000, progress }: BenchOptions,
): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  const ids = await fillApp(fleet, app, { size, audience });
  const post = poster(fleet, app);
  let sent = 0;
  const pushes = (count: number, to: (i: number) => object): Promise<number> =>
    rateOf(fleet, count, () =>
      timed(count, CONNECTIONS, () => {
        sent += 1;
        return post('/push', { ...to(sent % ids.length), data: { alert: `Your code is ${sent}`, order: sent } });
      }),
    );
  const byId = (count: number) => pushes(count, (i) => ({ where: { installationId: ids[i] } }));
  const byAudience = (count: number) => pushes(count, audience.to);
  progress('warming up');
  await byId(WARM_UP);
  await byAudience(WARM_UP);
  const found: Record<'value' | 'baseline', number>[] = [];
  progress(`${ROUNDS} rounds: ${PUSHES} pushes by installationId, ${PUSHES} by what is measured`);
  while (found.length < ROUNDS) found.push({ baseline: await byId(PUSHES), value: await byAudience(PUSHES) });
  return {
    value: medianOf(found.map((one) => one.value)),
    baseline: medianOf(found.map((one) => one.baseline)),
    ratio: medianOf(found.map(({ value, baseline }) => value / baseline)),
    config: {
      devices: size,
      named: ids.length,
      pushes: PUSHES,
      rounds: ROUNDS,
      connections: CONNECTIONS,
      warmUp: WARM_UP,
      processes: 'ingress 1, dispatcher 1, worker 1',
    },
  };
}
