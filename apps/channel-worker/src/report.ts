import { profileKey } from '@pushfleet/store';
import { BoundedMap, isStillAhead } from '@pushfleet/domain';
import { FAULT_POLICY } from '@pushfleet/channel-kit';
import type { Logger } from '@pushfleet/service-kit';
import type { DeliverPorts } from './deliver';
import type { WorkerMetrics } from './metrics';
import type { OpenPacePorts } from './pace/open-pace';
import type { SendPorts } from './send-batch';

const RESULTS = ['answered', 'internal-error', ...Object.keys(FAULT_POLICY)];

/** Logs vendor calls for the operator: each failure once, at the level of its policy. */
export function reporters(
  channel: string,
  metrics: WorkerMetrics,
  log: Logger,
): Omit<SendPorts, 'cutoff' | 'deadlines'> & Pick<DeliverPorts, 'onFirstCall'> {
  // A counter that first appears with its first event hides that event from every rate.
  for (const result of RESULTS) metrics.calls.inc({ channel, result }, 0);
  metrics.retries.inc({ channel }, 0);
  metrics.inFlight.set({ channel }, 0);
  return {
    onFirstCall(isAddressed, waitedMs) {
      const kind = isAddressed ? 'addressed' : 'audience';
      metrics.acceptToCall.observe({ channel, kind }, Math.max(0, waitedMs) / 1000);
    },
    onCall(devices, tries) {
      const endTimer = metrics.callSeconds.startTimer({ channel });
      metrics.inFlight.inc({ channel });
      metrics.batchDevices.observe({ channel }, devices);
      if (tries > 0) metrics.retries.inc({ channel });
      return (result) => {
        endTimer();
        metrics.inFlight.dec({ channel });
        metrics.calls.inc({ channel, result });
      };
    },
    onFault(fault, { app, pushId }) {
      const { code, vendorCode, vendorMessage, message } = fault;
      log[FAULT_POLICY[code].log]({ app, pushId, fault: code, vendorCode, vendorMessage }, message);
    },
    onBug(err, { app, pushId }) {
      log.error({ err, app, pushId }, 'sending a batch met an error of the service itself');
    },
  };
}

/** One line a minute for each profile says as much as one line for every page. */
const UNREADABLE_LOG_MS = 60_000;
const MOST_TOLD = 1000;

/** The worker that changed a breaker logs the change. */
export function paceReporters(
  channel: string,
  metrics: WorkerMetrics,
  log: Logger,
): Pick<OpenPacePorts, 'onBreaker' | 'onHold' | 'onError' | 'onUnreadable'> {
  const quietUntil = new BoundedMap<string, number>(MOST_TOLD);
  metrics.unreadableSecrets.inc({ channel }, 0);
  return {
    onBreaker: (state, { app, profile }, reason) =>
      log.warn({ app, profile, state, fault: reason }, `the circuit breaker of a profile is ${state} now`),
    onHold(isHeld, { app, profile, pushId }, vendorCode) {
      const of = { app, profile, pushId, vendorCode };
      if (isHeld) log.error(of, 'the vendor answers with a code that nobody knows; the rest of the push waits');
      else log.warn(of, 'a push that waited for a known answer goes on');
    },
    onError: (err) => log.warn({ err }, 'the state that the workers of the channel share could not be had'),
    onUnreadable(err, of) {
      const { app, profile } = of;
      metrics.unreadableSecrets.inc({ channel });
      const name = profileKey(of);
      if (isStillAhead(quietUntil.get(name) ?? 0, Date.now(), UNREADABLE_LOG_MS)) return;
      quietUntil.set(name, Date.now() + UNREADABLE_LOG_MS);
      log.error({ err, app, profile }, 'the credentials of a profile cannot be opened; its pushes wait');
    },
  };
}
