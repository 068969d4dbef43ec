import type { PageDevice, Reason, StoredPage } from '@pushfleet/domain';
import type { HeldJob, JobResult, PagesJob } from '@pushfleet/queues';
import type { PushToSend, WalkedDevice } from '@pushfleet/store';
import { pauseMs } from './backoff';
import type { DeliverPorts } from './deliver';
import { deliverAdmitted } from './pace/deliver-admitted';
import type { Pace } from './pace/pace';
import { refusal, type BatchResult, type Retry, type Verdict } from './send-batch';
import { settle, type SettlePorts } from './settle';
import type { Slots } from './slots';

export interface PagePorts extends DeliverPorts, SettlePorts {
  readonly slots: Slots;
  readonly pace: Pace;
  /** Pages that have not begun are left to others. */
  readonly stopping: AbortSignal;
}

interface PageRef {
  readonly pushId: string;
  readonly page: number;
}

/** How soon a job that was faster than the plan of its pages runs again. */
const PLAN_LATE_MS = 50;

/** Sends stored pages: addressed pushes, and what was deferred. A page that is folded already is skipped. */
export async function sendPages(ports: PagePorts, job: HeldJob<PagesJob>): Promise<JobResult> {
  // All of them come to their end before the job does: one that fails must not leave others under way.
  const sent = await Promise.allSettled(job.data.pages.map((page) => inSlot(ports, job, page)));
  const failed = sent.find((page) => page.status === 'rejected');
  if (failed) throw failed.reason;
  const pauses = sent.flatMap((page) => (page.status === 'fulfilled' && page.value !== 'done' ? page.value.again : []));
  return pauses.length > 0 ? { again: Math.min(...pauses) } : 'done';
}

async function inSlot(ports: PagePorts, job: HeldJob<PagesJob>, page: PageRef): Promise<JobResult> {
  await ports.slots.take();
  try {
    if (job.lost.aborted || ports.stopping.aborted) return { again: 0 };
    const result = await sendPage(ports, page, job);
    job.onProgress();
    return result;
  } finally {
    ports.slots.free();
  }
}

async function sendPage(ports: PagePorts, { pushId, page }: PageRef, job: HeldJob<PagesJob>): Promise<JobResult> {
  const found = await ports.store.pushes.withPage(pushId, page);
  if (found?.push.isDispatched === false) return { again: PLAN_LATE_MS };
  const { envelope } = job.data;
  if (!found?.page || (envelope !== undefined && found.page.envelope !== envelope)) return 'done';
  return sendStored(ports, { page, push: found.push, content: found.page, waiter: job.id });
}

interface PageToSend {
  readonly page: number;
  readonly push: PushToSend;
  readonly content: StoredPage;
  readonly waiter: string;
}

async function sendStored(ports: PagePorts, { page, push, content, waiter }: PageToSend): Promise<JobResult> {
  const earlyMs = content.dueAt - ports.now();
  if (earlyMs > 0 && mayWait(ports, push, content)) return { again: earlyMs };
  const addresses = await addressesOf(ports, push, content);
  const devices = content.devices.map(([objectId]) => ({ objectId, registrationId: addresses.get(objectId) ?? '' }));
  const reachable = devices.filter(({ objectId }) => addresses.has(objectId));
  const { profile, direct } = content;
  const queue = direct ? 'direct' : 'bulk';
  const admission = await ports.pace.admit({ push, profile, devices: reachable.length, queue, waiter });
  if (admission.kind === 'wait') return { again: admission.waitMs };
  const result = await deliverAdmitted(ports, admission, {
    push,
    profile,
    devices: reachable,
    name: `p${page}`,
    tries: content.tries,
    unknowns: content.unknowns ?? 0,
    isAddressed: content.direct,
    booksAs: content.booksAs as Reason | undefined,
  });
  const verdicts = 'retry' in result ? deferAll(reachable, result.retry, content.tries) : result.verdicts;
  const byDevice = new Map(reachable.map(({ objectId }, i) => [objectId, verdicts[i] ?? refusal('internal-error')]));
  await settle(ports, {
    push,
    part: { page },
    channel: content.channel,
    devices,
    verdicts: devices.map(({ objectId }) => byDevice.get(objectId) ?? refusal('registration-gone')),
    keepRegistrations: 'isSuspect' in result && result.isSuspect === true,
    retry: {
      profile,
      direct,
      tries: content.tries + 1,
      unknowns: (content.unknowns ?? 0) + unknownsOf(result),
    },
    wasOutstanding: true,
  });
  return 'done';
}

const mayWait = ({ pace, now }: PagePorts, push: PushToSend, { profile }: StoredPage): boolean =>
  push.expiresAt > now() && !push.isCancelled && !pace.isDraining({ app: push.app, profile });

/** Deferred devices are sent to where they are now; one that left the bucket meanwhile has no address any more. */
async function addressesOf(
  ports: PagePorts,
  push: PushToSend,
  { channel, profile, devices }: StoredPage,
): Promise<ReadonlyMap<string, string>> {
  if (ports.addressedBy === 'objectId') return new Map(devices.map(([objectId]) => [objectId, '']));
  const isKnown = (device: PageDevice): device is readonly [string, string] => device[1] !== undefined;
  const unknown = devices.filter((device) => !isKnown(device)).map(([objectId]) => objectId);
  if (unknown.length === 0) return new Map(devices.filter(isKnown));
  const found = await ports.store.installations.addresses(push.app, `${channel}/${profile}`, unknown);
  return new Map([...devices.filter(isKnown), ...found]);
}

function deferAll(devices: readonly WalkedDevice[], retry: Retry, tries: number): readonly Verdict[] {
  const { booksAs, words } = retry;
  const retryAfterMs = pauseMs(retry, tries);
  return devices.map(() => ({ kind: 'deferred', retryAfterMs, reason: booksAs, ...words }));
}

const unknownsOf = (result: BatchResult): number => Number('retry' in result && result.retry.isUnknown === true);
