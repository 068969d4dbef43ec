import { bucketOfProfile, type PageDevice, type Reason, type StoredPage } from '@pushfleet/domain';
import { RECORD_LATE_MS, type HeldJob, type JobResult, type PagesJob } from '@pushfleet/queues';
import { profileKey, type PushToSend } from '@pushfleet/store';
import { pauseMs, sharedPauseMs, triesAfter } from './backoff';
import type { DeliverPorts } from './deliver';
import { deliverAdmitted } from './pace/deliver-admitted';
import type { Pace } from './pace/pace';
import { folded } from './lane-flight';
import { refusal, type Retry } from './verdict';
import { settle, type SettlePorts } from './settle';
import { stuckMs, type Shares } from './shares';

export interface PagePorts extends DeliverPorts, SettlePorts {
  /** Pages in flight. */
  readonly pages: Shares;
  /** Pages begin some in each round of the event loop: hundreds at once would make others wait for a round. */
  readonly begins: () => Promise<void> | undefined;
  readonly pace: Pace;
  /** Pages that have not begun are left to other workers. */
  readonly stopping: AbortSignal;
}

interface PageRef {
  readonly pushId: string;
  readonly page: number;
}

/** How soon a job runs again that began before the record or the plan of its pages was written. */
const PLAN_LATE_MS = 50;

/**
 * How long a page waits for its profile while others of it end. It holds a job meanwhile: the jobs of a storm that end one page a
 * second would keep the messages of others from being taken at all.
 */
const LONGEST_WAIT_MS = 2000;

/** Sends stored pages: those of addressed pushes and retry pages. A page that is folded already is skipped. */
export async function sendPages(ports: PagePorts, job: HeldJob<PagesJob>): Promise<JobResult> {
  // The job ends after all of its pages: a page that fails must not leave others under way.
  const sent = await Promise.allSettled(job.data.pages.map((page) => sendPage(ports, job, page)));
  const failed = sent.find((page) => page.status === 'rejected');
  if (failed) throw failed.reason;
  const pauses = sent.flatMap((page) => (page.status === 'fulfilled' && page.value !== 'done' ? page.value.again : []));
  return pauses.length > 0 ? { again: Math.min(...pauses) } : 'done';
}

async function sendPage(ports: PagePorts, job: HeldJob<PagesJob>, { pushId, page }: PageRef): Promise<JobResult> {
  const found = await ports.store.pushes.withPage(pushId, page);
  if (isAhead(ports, job, found?.push)) return { again: PLAN_LATE_MS };
  const { envelope } = job.data;
  if (!found?.page || (envelope !== undefined && found.page.envelope !== envelope)) return 'done';
  const { push, page: content } = found;
  const share = profileKey({ app: push.app, profile: content.profile });
  if (!(await ports.pages.take(share, LONGEST_WAIT_MS))) return { again: stuckMs() };
  try {
    await ports.begins();
    if (job.lost.aborted || ports.stopping.aborted) return { again: 0 };
    const result = await sendStored(ports, { page, push, content, waiter: job.id });
    job.onProgress();
    return result;
  } finally {
    ports.pages.free(share);
  }
}

/** A carrier job is added beside the record of its push or beside its plan, and may be faster than what it points to. */
const isAhead = ({ now }: PagePorts, { data, addedAt }: HeldJob<PagesJob>, push: PushToSend | undefined): boolean =>
  push ? !push.isDispatched : data.envelope !== undefined && now() - addedAt < RECORD_LATE_MS;

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
  const { profile, direct, tries, unknowns = 0, limited = 0 } = content;
  const queue = direct ? 'direct' : 'bulk';
  const admission = await ports.pace.admit({
    // Others may be deferred like it.
    isLast: direct,
    isOverQuota: content.booksAs === OVER_QUOTA,
    push,
    profile,
    devices: reachable.length,
    queue,
    waiter,
  });
  if (admission.kind === 'wait') return { again: admission.waitMs };
  const result = await deliverAdmitted(ports, admission, {
    push,
    profile,
    devices: reachable,
    tries,
    limited,
    unknowns,
    isAddressed: content.direct && content.forAudience !== true,
    isStored: true,
    booksAs: content.booksAs,
  });
  const { retry } = result;
  const { verdicts } = folded(result, retry ? pauseOf(retry, content) : 0);
  const byDevice = new Map(reachable.map(({ objectId }, i) => [objectId, verdicts[i] ?? refusal('internal-error')]));
  await settle(ports, {
    push,
    part: { page },
    channel: content.channel,
    profile,
    devices,
    verdicts: devices.map(({ objectId }) => byDevice.get(objectId) ?? refusal('registration-gone')),
    keepRegistrations: result.isSuspect === true,
    retry: {
      profile,
      direct,
      limited,
      unknowns,
      tries: triesAfter(retry, tries),
      ...(content.forAudience === true ? { forAudience: true } : {}),
    },
    wasOutstanding: true,
  });
  return 'done';
}

/** Messages that met a spent quota wait together from then on, as campaigns do. */
const OVER_QUOTA: Reason = 'quota-exceeded';

const pauseOf = (retry: Retry, { direct, tries }: StoredPage): number =>
  direct && retry.booksAs !== OVER_QUOTA ? pauseMs(retry, tries) : sharedPauseMs(retry, tries);

const mayWait = ({ pace, now }: PagePorts, push: PushToSend, { profile }: StoredPage): boolean =>
  push.expiresAt > now() && !push.isCancelled && !pace.isDiscarding({ app: push.app, profile });

/** Deferred devices are sent to their present address. A device that left the bucket meanwhile has none. */
async function addressesOf(
  ports: PagePorts,
  push: PushToSend,
  { channel, profile, devices }: StoredPage,
): Promise<ReadonlyMap<string, string>> {
  if (ports.addressedBy === 'objectId') return new Map(devices.map(([objectId]) => [objectId, '']));
  const isKnown = (device: PageDevice): device is readonly [string, string] => device[1] !== undefined;
  const unknown = devices.filter((device) => !isKnown(device)).map(([objectId]) => objectId);
  if (unknown.length === 0) return new Map(devices.filter(isKnown));
  const found = await ports.store.installations.addresses(push.app, bucketOfProfile(channel, profile), unknown);
  return new Map([...devices.filter(isKnown), ...found]);
}
