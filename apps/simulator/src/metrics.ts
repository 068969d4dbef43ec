import { type Metrics } from '@pushfleet/service-kit';
import { type StatsRow } from './channel-stats';
import { type Vendors } from './vendors';

const NAMES = {
  calls: 'Vendor calls received.',
  devices: 'Devices that a vendor took a message for.',
  duplicates: 'Repeats of one push to one device.',
} as const satisfies Partial<Record<keyof StatsRow, string>>;

/** Read when scraped, so that counting a call costs nothing more. */
export function registerSimulatorMetrics(metrics: Metrics, vendors: Vendors): void {
  for (const name of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    metrics.gauge({
      name: `pushfleet_simulator_${name}`,
      help: NAMES[name],
      labelNames: ['channel'],
      collect() {
        for (const { channel, stats } of vendors.all()) this.set({ channel }, stats.read()[name]);
      },
    });
  }
}
