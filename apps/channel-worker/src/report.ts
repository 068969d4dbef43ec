import { FAULT_POLICY } from '@pushfleet/channel-kit';
import type { Logger } from '@pushfleet/service-kit';
import type { WorkerMetrics } from './metrics';
import type { SendPorts } from './send-batch';

/** What a worker tells its operator about vendor calls: each failure once, at the level its policy names. */
export function reporters(channel: string, metrics: WorkerMetrics, log: Logger): Omit<SendPorts, 'cutoff'> {
  return {
    onCall({ devices, result, seconds }) {
      metrics.calls.inc({ channel, result });
      metrics.callSeconds.observe({ channel }, seconds);
      metrics.batchDevices.observe({ channel }, devices);
    },
    onFault(fault, pushId) {
      const { code, vendorCode, vendorMessage, message } = fault;
      log[FAULT_POLICY[code].log]({ pushId, fault: code, vendorCode, vendorMessage }, message);
    },
    onBug(err, pushId) {
      log.error({ err, pushId }, 'a batch could not be sent because of a defect');
    },
  };
}
