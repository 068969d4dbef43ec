import { openMetrics } from '@pushfleet/service-kit';
import { registerSimulatorMetrics } from './metrics';
import { makeFakeVendor } from './testing/fake-vendor';
import { Vendors } from './vendors';

it('the metrics tell what each channel has seen', async () => {
  const limits = { messages: 1, devicesPerMessage: 1 };
  const vendors = new Vendors({ hms: makeFakeVendor('/h/') }, { now: Date.now, limits });
  const metrics = openMetrics('simulator');
  registerSimulatorMetrics(metrics, vendors);
  const body = JSON.stringify({ push: 'p', to: ['a', 'a'] });
  vendors.receive({ method: 'POST', path: '/h/send', query: new URLSearchParams(), headers: {}, body });
  const text = await metrics.text();
  expect(text).toMatch(/pushfleet_simulator_calls\{channel="hms".*\} 1/);
  expect(text).toMatch(/pushfleet_simulator_devices\{channel="hms".*\} 2/);
  expect(text).toMatch(/pushfleet_simulator_duplicates\{channel="hms".*\} 1/);
});
