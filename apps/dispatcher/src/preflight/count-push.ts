import type { Audience } from '@pushfleet/domain';
import {
  NO_PUSH_ID,
  type PreflightCounts,
  type PreflightQuestion,
  type PushToSend,
  type Store,
} from '@pushfleet/store';
import type { DispatchPorts } from '../dispatch';
import { planPush } from '../plan-push';
import { countDiscards, countPages, problemOf } from './count-direct';
import { sampleLanes, type LanesToSample } from './sample-lanes';
import { walkLanes, type LanesToCount } from './walk-lanes';

export type CountPorts = Pick<DispatchPorts, 'store' | 'traits' | 'turns' | 'now'> &
  Pick<LanesToSample, 'enoughDevices'>;

export interface CountOptions {
  readonly signal: AbortSignal;
  /** Called with the devices that were looked at, as a walk goes on. */
  onLookedAt(devices: number): void;
}

/** Plans a push as it would be dispatched now, and counts what the plan reaches. Nothing is written. */
export async function countPush(
  ports: CountPorts,
  question: PreflightQuestion,
  { signal, onLookedAt }: CountOptions,
): Promise<PreflightCounts> {
  const app = await ports.store.apps.settings(question.app);
  if (!app) return { counts: [], isDirect: true };
  const push: PushToSend = {
    ...question.push,
    pushId: NO_PUSH_ID,
    app: question.app,
    isDispatched: false,
    isCancelled: false,
    createdAt: question.push.pushTime,
  };
  const { store, audienceOf, columnsOf } = withoutWrites(ports.store);
  const made = await planPush({ ...ports, store }, push, app);
  const plan = typeof made === 'function' ? await made() : made;
  const of = { store, app: question.app, ways: question.ways };
  const lanes: LanesToCount = { ...of, audience: audienceOf(push), signal };
  const walked = question.isExact
    ? await walkLanes(lanes, plan.lanes, onLookedAt)
    : await sampleLanes({ ...lanes, now: ports.now, enoughDevices: ports.enoughDevices }, plan.lanes);
  const problem = problemOf(plan.books);
  const index = columnsOf();
  return {
    counts: [...countDiscards(plan.books), ...(await countPages(of, plan.pages)), ...walked],
    isDirect: plan.lanes.length === 0,
    ...(problem === undefined ? {} : { problem }),
    ...(index === undefined ? {} : { index }),
  };
}

/** The store, and what would have been written to it. */
interface WithoutWrites {
  readonly store: Store;
  audienceOf(push: PushToSend): Audience;
  /** What the doctor would have heard of. */
  columnsOf(): readonly string[] | undefined;
}

/**
 * The store without a record of the push: what would be kept there is kept here, and the first counts as it does there.
 * Nor does the doctor hear of a walk that no push made.
 */
function withoutWrites(store: Store): WithoutWrites {
  let kept: Audience | undefined;
  let helpful: readonly string[] | undefined;
  const keepResolved = (_: string, audience: Audience): Promise<Audience> => Promise.resolve((kept ??= audience));
  const noteWalk: Store['installations']['columns']['noteWalk'] = (_, { columns: named }) =>
    Promise.resolve(void (helpful = named));
  const columns = { ...store.installations.columns, noteWalk };
  return {
    store: {
      ...store,
      pushes: { ...store.pushes, keepResolved },
      installations: { ...store.installations, columns },
    },
    audienceOf: ({ audience }) => kept ?? audience,
    columnsOf: () => helpful,
  };
}
