import { deliver, type Delivery, type DeliverPorts } from '../deliver';
import { refusal, type BatchResult } from '../send-batch';
import type { Admission, Pace } from './pace';

/** Delivers a page that need not wait, and tells its pace how that ended. Never rejects. */
export async function deliverAdmitted(
  ports: DeliverPorts & { readonly pace: Pace },
  admission: Exclude<Admission, { kind: 'wait' }>,
  delivery: Delivery,
): Promise<BatchResult> {
  if (admission.kind === 'book') return { verdicts: delivery.devices.map(() => refusal(admission.reason)) };
  const { push, profile, booksAs } = delivery;
  const result = await deliver(ports, {
    ...delivery,
    booksAs: ports.pace.expiredAs({ app: push.app, profile }, booksAs),
  });
  await admission.end(result);
  return result;
}
