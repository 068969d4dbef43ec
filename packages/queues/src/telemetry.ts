import type { Telemetry } from 'bullmq';

/** Loaded only by those who trace: what it hands on, the library writes into every job. */
export async function openQueueTelemetry(isOn: boolean): Promise<Telemetry | undefined> {
  if (!isOn) return undefined;
  const { BullMQOtel } = await import('bullmq-otel');
  return new BullMQOtel({ tracerName: 'pushfleet' });
}
