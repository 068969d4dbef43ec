/// <reference types="jest" />
import { until } from '@pushfleet/testing';
import type { DemoApp, Fleet } from '../fleet';
import { RealtimeDevice } from './realtime-client';

/** A new device of the own channel gets a push by its name, and the record tells that it has. */
export async function expectGreeted(fleet: Fleet, app: DemoApp, installationId: string): Promise<void> {
  await fleet.call(app, ['POST', '/installations'], { deviceType: 'android', installationId });
  const device = await RealtimeDevice.connect(fleet, app, installationId);
  try {
    await device.login();
    const { objectId } = await fleet.push(app, { where: { installationId }, data: { alert: 'Hello' } });
    expect(await device.received(objectId)).toMatchObject({ alert: 'Hello' });
    await device.ack([objectId]);
    await until(async () => (await fleet.record(app, objectId)).channels['own']?.delivered === 1);
  } finally {
    device.close();
  }
}
