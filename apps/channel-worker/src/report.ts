import { FAULT_POLICY } from '@pushfleet/channel-kit';
import type { Logger } from '@pushfleet/service-kit';
import type { WorkerMetrics } from './metrics';
import type { SendPorts } from './send-batch';

/** What a worker tells its operator about vendor calls: each failure once, at the level its policy names. */
export function reporters(channel: string, metrics: WorkerMetrics, log: Logger): Omit<SendPorts, 'cutoff'> {
  return {
    onCall(devices) {
      const endTimer = metrics.callSeconds.startTimer({ channel });
      metrics.inFlight.inc({ channel });
      metrics.batchDevices.observe({ channel }, devices);
      return (result) => {
        endTimer();
        metrics.inFlight.dec({ channel });
        metrics.calls.inc({ channel, result });
      };
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
