export { openConsumer, type Consumer, type HeldJob, type JobResult, type JobRun } from './consumer';
export {
  channelJobSchema,
  envelopeSchema,
  receiptsSchema,
  type ChannelJob,
  type Envelope,
  type LaneJob,
  type PagesJob,
  type ReceiptsJob,
} from './job-schemas';
export {
  cancelJob,
  carrierJobId,
  carrierJobs,
  envelopeJob,
  laneJob,
  newEnvelopeId,
  pageJob,
  RECORD_LATE_MS,
  soleJobId,
  type CarrierEnvelope,
  type PlannedPages,
} from './jobs';
export { openProducer, type NewJob, type Producer, type QueueLocation } from './producer';
export { progressCheck } from './progress-check';
export { bulkQueue, directQueue, PUSH_REQUESTS, PUSH_SCHEDULE, RECEIPTS } from './queue-names';
export { queuesOf } from './queues-of';
export { openQueueTelemetry } from './telemetry';
