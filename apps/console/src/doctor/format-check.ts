import { describeFormat, type FormatState } from '@pushfleet/store';
import { problem, verdict, warning, type Check } from './check';

/** Whether the data in Redis are of the format that this version writes. */
export function formatCheck(state: FormatState): Check {
  const { data, own, refusal, migration } = state;
  const waits = migration?.waitsFor !== undefined;
  return verdict({ check: 'format', subject: '' }, describeFormat(state), [
    refusal &&
      problem(
        refusal.message,
        data === 0 ? 'until then no process starts' : 'start the console of the version that the other processes have',
      ),
    data > own && warning(describeFormat(state), 'restart the console with the version that the others have'),
    data < own &&
      warning(
        describeFormat(state),
        waits
          ? 'restart every process with the new version; a dispatcher goes on by itself: docs/upgrade.md'
          : 'nothing; a dispatcher is at work',
      ),
  ]);
}
