import { FairGate } from '@pushfleet/service-kit';

/** Thousands of devices are read for so many callers at once; each caller reads one portion after the other. */
const READERS = { atOnce: 2, perAccount: 1 };

export type DeviceReaders = Pick<FairGate, 'run'>;

export const openDeviceReaders = (): DeviceReaders => new FairGate(READERS);
