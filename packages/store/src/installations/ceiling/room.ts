import { setTimeout as delay } from 'node:timers/promises';
import { isStillAhead } from '@pushfleet/domain';
import { covers, leastOf, minus, mostOf, NOTHING, plus, type Amount } from './amount';
import { AppFull } from './app-full';
import { ceilingOf, type Ceiling, type CeilingPorts } from './ceilings';
import { makeRoom, MOST, type MakeRoomPorts } from './make-room';

export interface RoomPorts extends MakeRoomPorts, CeilingPorts {
  readonly now: () => number;
}

/** What apps may still store, as far as this process knows. */
export interface Room {
  /**
   * Called before something new is stored, or what exists grows beyond what a refresh may. Throws `AppFull` when neither ceiling
   * nor eviction leaves room for it.
   */
  take(app: string, want: Amount): Promise<void>;
  /** What exists has grown by so many bytes for which no room was taken, or shrunk: it is counted. */
  note(app: string, growth: number): void;
}

/** For so long a full app is refused without another look. */
const FULL_MS = 1000;
/** After this what is known of an app is looked at again, even if the process has stored little. */
const KNOWN_MS = 600_000;
/** From one look at an app to the next, when there have been many: those who come meanwhile share it, so that a flood costs few. */
const LOOK_EVERY_MS = 200;
const LOOKS_AT_ONCE = 25;
/** Looks in which others took what one wanted: more of them come than make room in that time. */
const MOST_LOOKS = 10;

interface Grant {
  readonly ceiling: Ceiling;
  readonly until: number;
  installations: number;
  bytes: number;
  /** Why there is no more, until then. */
  full: { readonly error: AppFull; readonly until: number } | undefined;
}

type FullGrant = Grant & { readonly full: NonNullable<Grant['full']> };

interface LastLook {
  readonly ended: Promise<unknown>;
  /** When the next one would be due if all had kept their distance. */
  readonly due: number;
  /** How many bytes what exists has grown by since it began, which it may not have seen. */
  grown: number;
}

/** A look that has not begun. */
interface Look {
  want: Amount;
  most: Amount;
  readonly done: Promise<void>;
}

export const openRoom = (ports: RoomPorts): Room => new RoomOfProcess(ports);

class RoomOfProcess implements Room {
  private readonly grants = new Map<string, Grant>();
  private readonly looks = new Map<string, Look>();
  private readonly lastLooks = new Map<string, LastLook>();

  constructor(private readonly ports: RoomPorts) {}

  async take(app: string, want: Amount): Promise<void> {
    const ceiling = await ceilingOf(this.ports, app);
    if (isOpen(ceiling)) return;
    for (let round = 0; !this.spend(app, ceiling, want); round += 1) {
      if (round === MOST_LOOKS) throw fullOf(ceiling);
      await this.nextLook(app, ceiling, want);
    }
  }

  note(app: string, growth: number): void {
    const grant = this.grants.get(app);
    const last = this.lastLooks.get(app);
    if (last) last.grown += Math.max(0, growth);
    if (grant) grant.bytes -= growth;
    if (grant && growth < 0) grant.full = undefined;
    if (growth <= 0 || this.looks.has(app)) return;
    // Nobody waits for this look. What it cannot tell, the next one who takes something learns.
    if (!grant || (grant.bytes < 0 && !this.isFull(grant))) this.take(app, NOTHING).catch(() => undefined);
  }

  /** True when it is taken, false when somebody has to look. */
  private spend(app: string, ceiling: Ceiling, want: Amount): boolean {
    const grant = this.grants.get(app);
    if (!grant || !isSame(grant.ceiling, ceiling) || !isStillAhead(grant.until, this.ports.now(), KNOWN_MS))
      return false;
    if (covers(grant, want)) {
      grant.installations -= want.installations;
      grant.bytes -= want.bytes;
      return true;
    }
    if (this.isFull(grant)) throw grant.full.error;
    return false;
  }

  private isFull(grant: Grant): grant is FullGrant {
    return grant.full !== undefined && isStillAhead(grant.full.until, this.ports.now(), FULL_MS);
  }

  /** Whoever comes before it begins is looked for together. */
  private nextLook(app: string, ceiling: Ceiling, want: Amount): Promise<void> {
    const waiting = this.looks.get(app);
    if (waiting) {
      waiting.want = plus(waiting.want, want);
      waiting.most = mostOf(waiting.most, want);
      return waiting.done;
    }
    const done = Promise.resolve().then(() => this.look(app, ceiling));
    this.looks.set(app, { want, most: want, done });
    return done;
  }

  private async look(app: string, ceiling: Ceiling): Promise<void> {
    const last = this.lastLooks.get(app);
    await last?.ended;
    const due = Math.max(performance.now(), last?.due ?? 0);
    const waitMs = due - LOOKS_AT_ONCE * LOOK_EVERY_MS - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    const { want: all, most } = this.looks.get(app) ?? { want: NOTHING, most: NOTHING };
    // Other processes may be given as much in the same moment: of many large ones, the others wait for the next look.
    const want = leastOf(all, mostOf(most, MOST));
    this.looks.delete(app);
    const found = makeRoom(this.ports, app, { ceiling, want, most });
    // Who waits for it learns of its failure.
    const look: LastLook = { ended: found.catch(() => undefined), due: due + LOOK_EVERY_MS, grown: 0 };
    this.lastLooks.set(app, look);
    const { full, ...left } = await found;
    const now = this.ports.now();
    const refusal = full && { error: full, until: now + FULL_MS };
    // Those who waited get what they came for.
    const rest = leastOf(left, mostOf(want, minus(left, { installations: 0, bytes: look.grown })));
    this.grants.set(app, { ceiling, until: now + KNOWN_MS, ...rest, full: refusal });
  }
}

const isOpen = ({ installations, bytes }: Ceiling): boolean => installations === Infinity && bytes === Infinity;

const isSame = (one: Ceiling, other: Ceiling): boolean =>
  one.installations === other.installations && one.bytes === other.bytes;

const fullOf = ({ installations, bytes }: Ceiling): AppFull =>
  installations === Infinity ? new AppFull('installationsBytes', bytes) : new AppFull('installations', installations);
