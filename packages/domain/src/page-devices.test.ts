import { callsFor, pageDevicesFor } from './page-devices';

test.each([
  [{}, 1000, 1000],
  [{}, 100, 1000],
  [{ requestsPerSecond: 200 }, 100, 1000],
  [{ requestsPerSecond: 20 }, 100, 200],
  [{ requestsPerSecond: 1 }, 100, 100],
  [{ requestsPerSecond: 1 }, 2000, 2000],
])('a budget of %j and calls of %d devices make pages of %d', (budget, maxBatch, devices) => {
  expect(pageDevicesFor(budget, maxBatch)).toBe(devices);
});

test.each([
  [0, { pageDevices: 1000, maxBatch: 1000 }, 0],
  [1, { pageDevices: 1000, maxBatch: 1000 }, 1],
  [1000, { pageDevices: 1000, maxBatch: 1000 }, 1],
  [1001, { pageDevices: 1000, maxBatch: 1000 }, 2],
  [2500, { pageDevices: 1000, maxBatch: 100 }, 25],
  [450, { pageDevices: 200, maxBatch: 150 }, 5],
])('%d devices by %j are %d calls', (devices, way, calls) => {
  expect(callsFor(devices, way)).toBe(calls);
});
