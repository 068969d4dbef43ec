import type { Reason, StoredPage } from '@pushfleet/domain';
import type { HeldJob, JobResult, PagesJob } from '@pushfleet/queues';
import type { PushToSend, WalkedDevice } from '@pushfleet/store';
import { backoffMs, waitMs } from './backoff';
import { deliver, type DeliverPorts } from './deliver';
import { refusal, type Retry, type Verdict } from './send-batch';
import { settle, type SettlePorts } from './settle';
import type { Slots } from './slots';

export interface PagePorts extends DeliverPorts, SettlePorts {
  readonly slots: Slots;
}

interface PageRef {
  readonly pushId: string;
  readonly page: number;
}

/** Sends stored pages: addressed pushes, and what was deferred. A page that is folded already is skipped. */
export async function sendPages(ports: PagePorts, job: HeldJob<PagesJob>): Promise<JobResult> {
  const waits = await Promise.all(
    job.data.pages.map(async (ref) => {
      await ports.slots.take();
      try {
        return job.lost.aborted ? 0 : await sendPage(ports, ref);
      } finally {
        ports.slots.free();
      }
    }),
  );
  const early = Math.max(0, ...waits);
  return early > 0 ? { again: early } : 'done';
}

/** Resolves with the ms until the page is due, 0 when it was dealt with. */
async function sendPage(ports: PagePorts, { pushId, page }: PageRef): Promise<number> {
  const [content, push] = await Promise.all([ports.store.ledger.page(pushId, page), ports.store.pushes.toSend(pushId)]);
  if (!content || !push) return 0;
  const early = content.dueAt - ports.now();
  if (early > 0 && push.expiresAt > ports.now()) return early;
  const devices = await withAddresses(ports, push, content);
  const reachable = devices.filter(({ registrationId }) => registrationId !== '');
  const result = await deliver(ports, {
    push,
    profile: content.profile,
    devices: reachable,
    name: `p${page}`,
    tries: content.tries,
    booksAs: content.booksAs as Reason | undefined,
  });
  const verdicts = 'retry' in result ? deferAll(reachable, result.retry, content.tries) : result.verdicts;
  await settle(ports, {
    push,
    part: { page },
    channel: content.channel,
    devices,
    verdicts: inOrder(devices, verdicts),
    keepRegistrations: 'isSuspect' in result && result.isSuspect === true,
    retry: { profile: content.profile, tries: content.tries + 1, direct: content.direct },
    wasOutstanding: true,
  });
  return 0;
}

/** Deferred devices are sent to where they are now; one that left the bucket meanwhile has no address any more. */
async function withAddresses(
  ports: PagePorts,
  push: PushToSend,
  { channel, profile, devices }: StoredPage,
): Promise<readonly WalkedDevice[]> {
  const unknown = devices.filter(([, registrationId]) => registrationId === undefined).map(([objectId]) => objectId);
  const bucket = `${channel}/${profile}`;
  const known =
    unknown.length > 0
      ? await ports.store.installations.addresses(push.app, bucket, unknown)
      : new Map<string, string>();
  return devices.map(([objectId, registrationId]) => ({
    objectId,
    registrationId: registrationId ?? known.get(objectId) ?? '',
  }));
}

function deferAll(
  devices: readonly WalkedDevice[],
  { pause, retryAfterMs, booksAs, words }: Retry,
  tries: number,
): readonly Verdict[] {
  const pauseMs = pause === 'wait' && retryAfterMs !== undefined ? waitMs(retryAfterMs) : backoffMs(tries);
  return devices.map(() => ({ kind: 'deferred', retryAfterMs: pauseMs, reason: booksAs, ...words }));
}

/** Verdicts for all devices: those without an address never went to the vendor. */
function inOrder(devices: readonly WalkedDevice[], verdicts: readonly Verdict[]): readonly Verdict[] {
  const given = verdicts[Symbol.iterator]();
  return devices.map(({ registrationId }) => {
    if (registrationId === '') return refusal('registration-gone');
    const next = given.next();
    return next.done === true ? refusal('internal-error') : next.value;
  });
}
