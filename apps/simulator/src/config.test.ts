import { describeConfig } from '@pushfleet/service-kit';
import { configSchema, loadSimulatorConfig } from './config';

describe('the simulator configuration', () => {
  it('needs nothing', () => {
    expect(loadSimulatorConfig({})).toMatchObject({ SIMULATOR_PORT: 8090, BIND_ADDRESS: '127.0.0.1', METRICS_PORT: 0 });
  });

  it('describes every variable', () => {
    expect(describeConfig(configSchema).filter(({ description }) => description === '')).toEqual([]);
  });
});
