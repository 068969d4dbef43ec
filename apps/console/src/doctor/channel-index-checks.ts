import { LIMITS } from '@pushfleet/domain';
import { SHARDS, type Store } from '@pushfleet/store';
import { verdict, warning, type Check } from './check';

/** A dispatcher begins a check within seconds of the time for it; one of a very large app may take minutes. */
const LATE_MS = 3_600_000;

type Indexes = Awaited<ReturnType<Store['installations']['channels']['states']>>;

/** Apps whose pushes to channels are walked, because their index of channels is not known to be whole. */
export async function channelIndexChecks(
  { apps, installations }: Pick<Store, 'apps' | 'installations'>,
  now: number,
): Promise<readonly Check[]> {
  const { channels } = installations;
  const [listed, states, awaySince] = await Promise.all([apps.list(), channels.states(), channels.awaySince()]);
  const ids = listed.map(({ id }) => id);
  const walked = ids.filter((id) => states.get(id)?.isSound !== true);
  const late = ids.filter((id) => isLate(states, id, now));
  const about = { check: 'channel-indexes', subject: '' };
  return [
    verdict(about, walked.length === 0 ? 'the index of channels of every app is whole' : progressOf(walked, states), [
      awaySince !== undefined && listed.length > 0 && noDispatcher(awaySince),
      late.length > 0 &&
        warning(
          `the index of channels of app ${late[0]}${others(late)} was due for a check and gets none`,
          'does a dispatcher run, and what does its log say?',
        ),
    ]),
  ];
}

/** A process of an earlier version may have saved devices meanwhile, which writes no index. */
const noDispatcher = (since: number): ReturnType<typeof warning> =>
  warning(
    `no dispatcher has been there since ${new Date(since).toISOString()}, so that the index of channels of every app is in doubt: ` +
      `pushes to channels wait for a dispatcher and are walked, ${MESSAGES}`,
    'start a dispatcher: it checks every index, and they are used again from ten minutes after its start; ' +
      'if one runs, its log says why it does not note that it is there',
  );

const MESSAGES = `and messages to more than ${LIMITS.offlineClientsUnindexed.value} clients who are offline are refused with 503`;

function isLate(states: Indexes, id: string, now: number): boolean {
  const state = states.get(id);
  return state !== undefined && now - state.dueAt > LATE_MS && now - (state.begunAt ?? 0) > LATE_MS;
}

function progressOf(walked: readonly string[], states: Indexes): string {
  const [first = ''] = walked;
  const { shard, begunAt } = states.get(first) ?? {};
  const progress = begunAt === undefined ? 'waits for its check' : `${shard} of ${SHARDS} parts checked`;
  return `pushes to channels are walked while their index is checked, ${MESSAGES}: app ${first}${others(walked)}: ${progress}`;
}

const others = (ids: readonly string[]): string => (ids.length > 1 ? ` and ${ids.length - 1} others` : '');
