import { startService, type Service } from '@pushfleet/testing';
import { Agent, request } from 'undici';
import { bareRate } from './simulated-vendor';

let simulator: Service;
const http = new Agent();
beforeAll(async () => {
  simulator = await startService('simulator', { SIMULATOR_PORT: '0' });
});
afterAll(async () => {
  await http.destroy();
  await simulator.stop();
});

const url = (): string => simulator.urls['simulator'] ?? '';

async function receivedDevices(): Promise<number> {
  const { body } = await request(`${url()}/_simulator/stats`, { dispatcher: http });
  return ((await body.json()) as { hms: { devices: number } }).hms.devices;
}

it.each([
  { devices: 500, batch: 1000, received: 1000 },
  { devices: 1500, batch: 1000, received: 2000 },
  { devices: 7, batch: 1, received: 7 },
])('the bare sender counts the devices that it sends to: %j', async ({ devices, batch, received }) => {
  const before = await receivedDevices();
  const startedAt = performance.now();
  const rate = await bareRate({ processes: { url }, http }, { devices, batch, connections: 4 });
  const seconds = (performance.now() - startedAt) / 1000;
  expect((await receivedDevices()) - before).toBe(received);
  expect(rate).toBeGreaterThan(received / seconds);
});
