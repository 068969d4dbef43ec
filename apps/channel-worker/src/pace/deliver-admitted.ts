import { deliver, type Delivery, type DeliverPorts } from '../deliver';
import type { PageResult } from '../page-calls';
import { refusal } from '../verdict';
import type { Pace } from './pace';
import type { Admission } from './admission';

type Admitted = Exclude<Admission, { kind: 'wait' }>;
type PageToDeliver = Omit<Delivery, 'width' | 'isProbe' | 'isHeld' | 'onCallBegin' | 'onCallEnd' | 'hold'>;

/** Delivers a page that need not wait, and reports the end to its pace. Never rejects. */
export async function deliverAdmitted(
  ports: DeliverPorts & { readonly pace: Pace },
  admission: Admitted,
  page: PageToDeliver,
): Promise<PageResult> {
  if (admission.kind === 'book') return { verdicts: page.devices.map(() => refusal(admission.reason)) };
  const { push, profile, booksAs } = page;
  const of = { app: push.app, profile, pushId: push.pushId };
  const { isProbe, isHeld, width } = admission;
  const result = await deliver(ports, {
    width,
    isProbe,
    isHeld,
    onCallBegin: (devices) => ports.pace.callBegins(of, devices),
    onCallEnd: (ended) => admission.ended(ended),
    hold: () => ports.pace.interruption(of, page.isAddressed ? 'direct' : 'bulk'),
    ...page,
    booksAs: ports.pace.expiredAs(push, profile, booksAs),
  });
  await admission.end();
  return isHeld && result.retry ? { ...result, retry: { ...result.retry, isHeld } } : result;
}
