import type { LanePosition, Reason } from '@pushfleet/domain';
import type { HeldJob, JobResult, LaneJob } from '@pushfleet/queues';
import type { LaneState, PushToSend, Tries, WalkedPage } from '@pushfleet/store';
import { pauseMs } from './backoff';
import type { DeliverPorts } from './deliver';
import { deliverAdmitted } from './pace/deliver-admitted';
import type { Admission, Pace, PageToAdmit } from './pace/pace';
import type { BatchResult, Retry, Verdict } from './send-batch';
import { settle, type SettlePorts } from './settle';
import type { Slots } from './slots';
import type { Turn } from './turns';

export interface LanePorts extends DeliverPorts, SettlePorts {
  readonly slots: Slots;
  readonly turn: Turn;
  readonly pace: Pace;
  readonly stopping: AbortSignal;
  /** Devices in one vendor call. */
  readonly maxBatch: number;
  /** Devices a lane walks before it goes to the tail of the queue. */
  readonly sliceDevices: number;
  /** Pages of one lane in flight at once. */
  readonly window: number;
}

/** Somebody else folded the page: the lane is looked at anew, if it is still this worker's. */
const STALE: JobResult = { again: 0 };

/** A page whose vendor call is under way; its slot is held until it is folded. */
interface Flight {
  readonly from: LanePosition;
  readonly to: LanePosition | 'done';
  readonly page: WalkedPage;
  readonly tries: Tries;
  readonly result: Promise<BatchResult>;
}

/** Walks a slice of a lane: pages go out several at once and are folded in their order. */
export async function walkLane(ports: LanePorts, job: HeldJob<LaneJob>): Promise<JobResult> {
  const { pushId, lane } = job.data;
  const [state, push] = await Promise.all([ports.store.ledger.lane(pushId, lane), ports.store.pushes.toSend(pushId)]);
  if (!state || !push) return 'done';
  return new LaneWalk(ports, job, { state, push }).run();
}

const NO_TRIES: Tries = { count: 0, booksAs: 'expired' };

class LaneWalk {
  /** Sent and not yet folded, oldest first. */
  private readonly flights: Flight[] = [];
  /** Those that hold a slot. */
  private readonly open = new Set<Flight>();
  private readonly walk;
  private position: LanePosition;
  private isWalkedOut = false;
  private walked = 0;
  /** Of the page that the slice begins with; later ones are new. */
  private readonly tries: Tries;
  /** The credentials were refused, or the push was cancelled: the rest of the slice is booked without calling. */
  private refused: Reason | undefined;
  /** Until then the next page has to wait. */
  private heldUntil: number | undefined;

  constructor(
    private readonly ports: LanePorts,
    private readonly job: Pick<HeldJob<LaneJob>, 'lost' | 'onProgress'>,
    private readonly subject: { readonly state: LaneState; readonly push: PushToSend },
  ) {
    const { state, push } = subject;
    const { bucket, toShard, discard } = state.lane;
    const { subscriptions, predicate } = push.audience;
    const range = { app: push.app, bucket, from: state.position, toShard, pageSize: ports.maxBatch };
    this.walk = ports.store.installations.walk({ ...range, subscriptions, predicate });
    this.position = state.position;
    this.tries = state.tries ?? NO_TRIES;
    this.refused = discard ?? (push.isCancelled ? 'cancelled' : undefined);
  }

  async run(): Promise<JobResult> {
    try {
      return await this.walkSlice();
    } finally {
      await Promise.allSettled([...this.open].map(({ result }) => result));
      [...this.open].forEach((flight) => this.release(flight));
    }
  }

  private async walkSlice(): Promise<JobResult> {
    for (;;) {
      while (this.mayLaunch() && (await this.takeSlot())) await this.launch();
      const flight = this.flights.shift();
      if (!flight) break;
      const result = await flight.result;
      if ('retry' in result) return this.halt(flight, result.retry);
      if (!(await this.fold(flight, result))) return STALE;
    }
    if (this.isWalkedOut) return 'done';
    return { again: Math.max(0, (this.heldUntil ?? 0) - this.ports.now()) };
  }

  private mayLaunch(): boolean {
    const isStopping = this.job.lost.aborted || this.ports.stopping.aborted;
    return (
      !isStopping &&
      this.heldUntil === undefined &&
      !this.isWalkedOut &&
      this.walked < this.ports.sliceDevices &&
      this.flights.length < this.ports.window
    );
  }

  /** A lane waits for its first slot only: one that holds slots and waits for more could wait for itself. */
  private async takeSlot(): Promise<boolean> {
    if (this.flights.length > 0) return this.ports.slots.tryTake();
    await this.ports.slots.take();
    if (this.mayLaunch()) return true;
    this.ports.slots.free();
    return false;
  }

  private async launch(): Promise<void> {
    const heldMs = this.refused === undefined ? this.ports.pace.heldMs(this.toAdmit()) : undefined;
    if (heldMs !== undefined) return this.hold(heldMs);
    const { page, admission } = await this.nextPage();
    if (admission.kind === 'wait') return this.hold(admission.waitMs);
    const tries = this.walked === 0 ? this.tries : NO_TRIES;
    const [from, to] = [this.position, page.end ?? ('done' as const)];
    const flight = { from, to, page, tries, result: this.send(page, tries, admission) };
    this.flights.push(flight);
    this.open.add(flight);
    this.walked += this.lookedAt(page);
    if (page.end) this.position = page.end;
    else this.isWalkedOut = true;
  }

  private hold(waitMs: number): void {
    this.ports.slots.free();
    this.heldUntil = this.ports.now() + waitMs;
  }

  /** A page that ends early although the lane goes on has cost a whole slice of devices that do not match. */
  private lookedAt({ devices, end }: WalkedPage): number {
    const { maxBatch, sliceDevices } = this.ports;
    return end !== undefined && devices.length < maxBatch ? sliceDevices : Math.max(1, devices.length);
  }

  private async nextPage(): Promise<{ readonly page: WalkedPage; readonly admission: Admission }> {
    try {
      const page = await this.walk.next();
      await this.ports.turn();
      return { page, admission: await this.admit(page.devices.length) };
    } catch (error) {
      this.ports.slots.free();
      throw error;
    }
  }

  private async admit(devices: number): Promise<Admission> {
    if (devices === 0) return { kind: 'book', reason: 'internal-error' };
    if (this.refused !== undefined) return { kind: 'book', reason: this.refused };
    return this.ports.pace.admit({ ...this.toAdmit(), devices });
  }

  private toAdmit(): Omit<PageToAdmit, 'devices'> {
    const { push, state } = this.subject;
    const { id, profile } = state.lane;
    return { push, profile, queue: 'bulk', waiter: `${push.pushId}-${id}` };
  }

  private release(flight: Flight): void {
    if (this.open.delete(flight)) this.ports.slots.free();
  }

  private send(
    { devices, end }: WalkedPage,
    tries: Tries,
    admission: Exclude<Admission, { kind: 'wait' }>,
  ): Promise<BatchResult> {
    const { state, push } = this.subject;
    const name = `${state.lane.id} ${devices[0]?.objectId ?? ''} ${end?.objectId ?? ''}`;
    const { count, booksAs, unknowns = 0 } = tries;
    const { profile } = state.lane;
    const delivery = { push, profile, devices, name, tries: count, unknowns, isAddressed: false };
    return deliverAdmitted(this.ports, admission, { ...delivery, booksAs: booksAs as Reason });
  }

  /** False when somebody else has folded this page: the lane is theirs. */
  private async fold(flight: Flight, result: Exclude<BatchResult, { retry: Retry }>): Promise<boolean> {
    const { state, push } = this.subject;
    const { from, to, page, tries } = flight;
    await this.ports.turn();
    const folded = await settle(this.ports, {
      push,
      part: { lane: state.lane.id, from, to },
      channel: state.lane.channel,
      devices: page.devices,
      verdicts: result.verdicts,
      keepRegistrations: result.isSuspect === true,
      retry: { profile: state.lane.profile, tries: tries.count + 1, direct: false, unknowns: tries.unknowns ?? 0 },
      wasOutstanding: false,
    });
    this.release(flight);
    this.job.onProgress();
    if (result.verdicts.some(isCredentialsRefusal)) this.refused = 'credentials-rejected';
    if (folded.isCancelled === true) this.refused ??= 'cancelled';
    return folded.state === 'folded';
  }

  /**
   * A page met a fault: the lane pauses and resumes there. Pages behind it that the vendor has taken meanwhile are
   * folded, and what lies between becomes a retry page, so that nothing taken is sent again.
   */
  private async halt(first: Flight, retry: Retry): Promise<JobResult> {
    const waitedMs = this.pauseOf(retry, first.tries);
    const flights = [first, ...this.flights.splice(0)];
    const results = await Promise.all(flights.map(({ result }) => result));
    const taken = results.slice(0, results.findLastIndex((result) => 'verdicts' in result) + 1);
    for (const [i, result] of taken.entries()) {
      const flight = flights[i] as Flight;
      const settled = 'retry' in result ? this.defer(flight, result.retry, waitedMs) : result;
      if (!(await this.fold(flight, settled))) return STALE;
    }
    const [resumed, failed] = [flights[taken.length], results[taken.length]];
    if (!resumed || !failed || !('retry' in failed)) return this.isWalkedOut ? 'done' : { again: waitedMs };
    const unknowns = (resumed.tries.unknowns ?? 0) + Number(failed.retry.isUnknown === true);
    const tries = { count: resumed.tries.count + 1, unknowns, booksAs: failed.retry.booksAs };
    await this.ports.store.ledger.noteTries(this.subject.push.pushId, this.subject.state.lane.id, tries);
    return { again: waitedMs };
  }

  private pauseOf(retry: Retry, { count }: Tries): number {
    return Math.min(pauseMs(retry, count), Math.max(0, this.subject.push.expiresAt - this.ports.now()));
  }

  private defer(
    { page }: Flight,
    { booksAs, words }: Retry,
    retryAfterMs: number,
  ): Exclude<BatchResult, { retry: Retry }> {
    return { verdicts: page.devices.map(() => ({ kind: 'deferred', retryAfterMs, reason: booksAs, ...words })) };
  }
}

const isCredentialsRefusal = (verdict: Verdict): boolean =>
  verdict.kind === 'discarded' && verdict.reason === 'credentials-rejected';
