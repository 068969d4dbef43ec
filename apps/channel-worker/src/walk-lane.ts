import { profileBucket, type LanePosition, type Reason } from '@pushfleet/domain';
import type { HeldJob, JobResult, LaneJob } from '@pushfleet/queues';
import {
  type LaneState,
  type NextTurn,
  profileKey,
  type PushToSend,
  SHARDS,
  type Tries,
  type WalkedPage,
} from '@pushfleet/store';
import { sharedPauseMs, triesAfter } from './backoff';
import type { DeliverPorts } from './deliver';
import { folded, isCredentialsRefusal, isReached, upToLastReached, type Flight, type FoldedPage } from './lane-flight';
import { deliverAdmitted } from './pace/deliver-admitted';
import type { Pace } from './pace/pace';
import type { Admission, PageAhead } from './pace/admission';
import type { PageResult } from './page-calls';
import { limitOf } from './send-batch';
import { withoutCall, type Retry } from './verdict';
import { settle, type SettlePorts } from './settle';
import { stuckMs, type Shares } from './shares';

export interface LanePorts extends DeliverPorts, SettlePorts {
  /** Pages of campaigns in flight. */
  readonly pages: Shares;
  /** Lanes that are walked. */
  readonly lanes: Shares;
  readonly turn: NextTurn;
  readonly pace: Pace;
  readonly stopping: AbortSignal;
  /** Devices a lane looks at, matching or not, before it goes to the tail of the queue. */
  readonly sliceDevices: number;
  /** Pages of one lane in flight at once. */
  readonly window: number;
}

/** Another worker folded the page: the lane is read again, if it still belongs to this worker. */
const STALE: JobResult = { again: 0 };

/** Walks a slice of a lane: pages go out several at once and are folded in their order. */
export async function walkLane(ports: LanePorts, job: HeldJob<LaneJob>): Promise<JobResult> {
  const { pushId, lane } = job.data;
  const [state, push] = await Promise.all([ports.store.ledger.lane(pushId, lane), ports.store.pushes.toSend(pushId)]);
  if (!state || !push) return 'done';
  const of = { app: push.app, profile: state.lane.profile };
  const share = profileKey(of);
  if (!(await ports.lanes.take(share))) return { again: stuckMs() };
  try {
    const pageDevices = await ports.pace.pageDevices(of);
    return await new LaneWalk(ports, job, { state, push, share, pageDevices }).run();
  } finally {
    ports.lanes.free(share);
  }
}

interface Subject {
  readonly state: LaneState;
  readonly push: PushToSend;
  /** The profile whose places the lane takes. */
  readonly share: string;
  readonly pageDevices: number;
}

const NO_TRIES: Tries = { count: 0, booksAs: 'expired' };

/** The tries of devices that no call of their page was made for: they keep what they may have got before. */
const restOf = ({ unknowns = 0 }: Tries): Tries => ({ ...NO_TRIES, unknowns });

class LaneWalk {
  /** Sent and not yet folded, oldest first. */
  private readonly flights: Flight[] = [];
  /** Pages that hold a slot. */
  private readonly open = new Set<Flight>();
  private readonly walk;
  private position: LanePosition;
  private isWalkedOut = false;
  private walked = 0;
  /** The tries of the first page of the slice; later pages are new. */
  private readonly tries: Tries;
  /** The credentials were refused, or the push was cancelled: the rest of the slice is booked without calling. */
  private refused: Reason | undefined;
  /** The next page has to wait until this time. */
  private heldUntil: number | undefined;

  constructor(
    private readonly ports: LanePorts,
    private readonly job: Pick<HeldJob<LaneJob>, 'lost' | 'onProgress'>,
    private readonly subject: Subject,
  ) {
    const { state, push, pageDevices: pageSize } = subject;
    const { bucket, toShard, discard, retiredUntil } = state.lane;
    const { subscriptions, predicate } = push.audience;
    const range = { app: push.app, bucket, from: state.position, toShard, pageSize, retiredUntil };
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
      if (result.retry) return this.halt(flight, result.retry);
      if (!(await this.fold(flight, folded(result, 0)))) return STALE;
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

  /** A lane waits for its first slot only. A lane that holds slots and waits for more could wait for itself. */
  private async takeSlot(): Promise<boolean> {
    const { pages } = this.ports;
    const { share } = this.subject;
    if (this.flights.length > 0) return pages.tryTake(share);
    if (!(await pages.take(share))) {
      this.heldUntil = this.ports.now() + stuckMs();
      return false;
    }
    if (this.mayLaunch()) return true;
    pages.free(share);
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
    this.walked += page.lookedAt;
    if (page.end) this.position = page.end;
    else this.isWalkedOut = true;
  }

  private hold(waitMs: number): void {
    this.ports.pages.free(this.subject.share);
    this.heldUntil = this.ports.now() + waitMs;
  }

  private async nextPage(): Promise<{ readonly page: WalkedPage; readonly admission: Admission }> {
    try {
      const page = await this.walk.next();
      await this.ports.turn();
      return { page, admission: await this.admit(page) };
    } catch (error) {
      this.ports.pages.free(this.subject.share);
      throw error;
    }
  }

  private async admit({ devices, end }: WalkedPage): Promise<Admission> {
    if (devices.length === 0) return { kind: 'book', reason: 'internal-error' };
    if (this.refused !== undefined) return { kind: 'book', reason: this.refused };
    const { fromShard, toShard } = this.subject.state.lane;
    const isLast = end === undefined && toShard - fromShard === SHARDS;
    return this.ports.pace.admit({ ...this.toAdmit(), devices: devices.length, isLast });
  }

  private toAdmit(): PageAhead {
    const { push, state } = this.subject;
    const { id, profile } = state.lane;
    return { push, profile, queue: 'bulk', waiter: `${push.pushId}-${id}` };
  }

  private release(flight: Flight): void {
    if (this.open.delete(flight)) this.ports.pages.free(this.subject.share);
  }

  private send(
    { devices }: WalkedPage,
    { count, booksAs, unknowns = 0, limited = 0 }: Tries,
    admission: Exclude<Admission, { kind: 'wait' }>,
  ): Promise<PageResult> {
    const { state, push } = this.subject;
    const { profile } = state.lane;
    const page = { push, profile, devices, tries: count, limited, unknowns, isAddressed: false, isStored: false };
    return deliverAdmitted(this.ports, admission, { ...page, booksAs });
  }

  /** False when another worker has folded this page and has the lane. */
  private async fold(flight: Flight, { verdicts, isSuspect, retry }: FoldedPage): Promise<boolean> {
    const { state, push } = this.subject;
    const { from, to, page, tries } = flight;
    const { count, limited = 0, unknowns = 0 } = tries;
    await this.ports.turn();
    const settled = await settle(this.ports, {
      push,
      part: { lane: state.lane.id, from, to },
      channel: state.lane.channel,
      profile: profileBucket(state.lane.bucket)?.profile ?? state.lane.profile,
      devices: page.devices,
      verdicts,
      keepRegistrations: isSuspect === true,
      retry: { profile: state.lane.profile, tries: triesAfter(retry, count), limited, direct: false, unknowns },
      wasOutstanding: false,
    });
    this.release(flight);
    this.job.onProgress();
    if (verdicts.some(isCredentialsRefusal)) this.refused = 'credentials-rejected';
    if (settled.isCancelled === true) this.refused ??= 'cancelled';
    return settled.state === 'folded';
  }

  /**
   * A call of a page has to be repeated: the lane pauses and resumes there. Calls behind it that the vendor has taken, or may have,
   * are folded up to the last of them, and the devices between become retry pages: no taken message is sent again, and of every
   * device stays known what it may have got.
   */
  private async halt(first: Flight, retry: Retry): Promise<JobResult> {
    const waitedMs = this.pauseOf(retry, first.tries);
    const flights = [first, ...this.flights.splice(0)];
    const results = await Promise.all(flights.map(({ result }) => result));
    const last = results.findLastIndex(isReached);
    for (const [i, result] of results.slice(0, last + 1).entries()) {
      const taken = await this.foldTaken(flights[i] as Flight, result, { waitedMs, isLast: i === last });
      if (taken === 'stale') return STALE;
      if (taken === 'in part')
        return this.resume(withoutCall(result.retry ?? retry), restOf((flights[i] as Flight).tries), waitedMs);
    }
    const [resumed, failed] = [flights[last + 1], results[last + 1]];
    if (resumed && failed?.retry) return this.resume(failed.retry, resumed.tries, waitedMs);
    return this.isWalkedOut ? 'done' : { again: waitedMs };
  }

  private async foldTaken(
    flight: Flight,
    result: PageResult,
    { waitedMs, isLast }: { waitedMs: number; isLast: boolean },
  ): Promise<'stale' | 'whole' | 'in part'> {
    const cut = isLast ? upToLastReached(flight, result) : { flight, result };
    const isFolded = await this.fold(cut.flight, folded(cut.result, waitedMs));
    this.release(flight);
    if (!isFolded) return 'stale';
    return cut.flight === flight ? 'whole' : 'in part';
  }

  private async resume(retry: Retry, before: Tries, waitedMs: number): Promise<JobResult> {
    const { unknowns = 0 } = before;
    const limited = (before.limited ?? 0) + Number(limitOf(retry) !== undefined);
    const tries = { count: triesAfter(retry, before.count), unknowns, limited, booksAs: retry.booksAs };
    await this.ports.store.ledger.noteTries(this.subject.push.pushId, this.subject.state.lane.id, tries);
    return { again: waitedMs };
  }

  private pauseOf(retry: Retry, { count }: Tries): number {
    return Math.min(sharedPauseMs(retry, count), Math.max(0, this.subject.push.expiresAt - this.ports.now()));
  }
}
