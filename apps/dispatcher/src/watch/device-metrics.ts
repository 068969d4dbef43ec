import { DISCARD_POLICY, FAILURE_POLICY } from '@pushfleet/domain';
import type { Metrics } from '@pushfleet/service-kit';
import type { Total } from '@pushfleet/store';

/** Of one device of one push, exactly one comes true; `delivered` and the like are told beside it. */
const EVENTS = ['matched', 'delivered', 'lapsed', 'clicked', 'truncated'];

/**
 * What became of devices, in numbers that are kept where the books are: they are the sums of all records, whichever process
 * wrote them and whatever became of it.
 */
export function deviceMetrics({ counter }: Pick<Metrics, 'counter'>) {
  const devices = counter({
    name: 'pushfleet_devices_total',
    help: 'Devices of all pushes by outcome (accepted, discarded, failed) and reason, from the books.',
    labelNames: ['channel', 'outcome', 'reason'],
  });
  const events = counter({
    name: 'pushfleet_device_events_total',
    help: 'Devices of all pushes that were matched, delivered, lapsed, clicked, or whose text was truncated, from the books.',
    labelNames: ['channel', 'event'],
  });
  const clear = (): void => [devices, events].forEach((each) => each.reset());
  const add = ({ channel, kind, value, count }: Total): void => {
    if (kind === 'discarded' || kind === 'failed') devices.inc({ channel, outcome: kind, reason: value }, count);
    else if (kind === 'count' && value === 'accepted') devices.inc({ channel, outcome: 'accepted', reason: '' }, count);
    else if (kind === 'count' && EVENTS.includes(value)) events.inc({ channel, event: value }, count);
  };
  // A series that begins with its first event hides that event from every rate.
  const begin = (channel: string): void => {
    devices.inc({ channel, outcome: 'accepted', reason: '' }, 0);
    for (const reason of Object.keys(DISCARD_POLICY)) devices.inc({ channel, outcome: 'discarded', reason }, 0);
    for (const reason of Object.keys(FAILURE_POLICY)) devices.inc({ channel, outcome: 'failed', reason }, 0);
    for (const event of EVENTS) events.inc({ channel, event }, 0);
  };
  return {
    clear,
    show(totals: readonly Total[], channels: Iterable<string>): void {
      clear();
      for (const channel of channels) begin(channel);
      totals.forEach(add);
    },
  };
}
