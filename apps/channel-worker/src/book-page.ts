import { DISCARD_POLICY, type Accepted, type PageDevice, type Reason, type StoredPage } from '@pushfleet/domain';
import { Books, type WalkedDevice } from '@pushfleet/store';
import { refusal, type Verdict } from './verdict';

/** What a page's verdicts mean for the books, for later, and for the audience. */
export interface BookedPage {
  readonly books: Books;
  /** Devices to try again; undefined when none was deferred. */
  readonly deferred: Pick<StoredPage, 'devices' | 'dueAt' | 'booksAs' | 'limited'> | undefined;
  /** Registrations that the vendor called dead. */
  readonly dead: readonly WalkedDevice[];
  /** Registrations that the vendor called dead in words that may pass. */
  readonly struck: readonly WalkedDevice[];
}

export interface PageVerdicts {
  /** The channel in the books. */
  readonly channel: string;
  /** What the devices ask for. */
  readonly profile: string;
  readonly devices: readonly WalkedDevice[];
  /** In the order of the devices. */
  readonly verdicts: readonly Verdict[];
  /** Earlier tries of these devices that ended in what is tried a few times only. */
  readonly limited: number;
  readonly now: number;
}

export function bookPage({ channel, profile, devices, verdicts, limited, now }: PageVerdicts): BookedPage {
  const books = new Books(channel);
  const dead: WalkedDevice[] = [];
  const struck: WalkedDevice[] = [];
  const again: PageDevice[] = [];
  const taken: Accepted[] = [];
  const takenIds: string[] = [];
  let dueAt = 0;
  let booksAs: Reason | undefined;
  let isLimited = false;
  devices.forEach((device, i) => {
    const verdict = afterTries(verdicts[i], limited + 1);
    if (verdict?.kind === 'accepted') {
      taken.push(verdict);
      takenIds.push(device.objectId);
    } else if (verdict?.kind === 'deferred') {
      again.push(laterDevice(device));
      dueAt = Math.max(dueAt, now + verdict.retryAfterMs);
      booksAs = verdict.reason;
      isLimited ||= verdict.maxTries !== undefined;
    } else {
      refuse(books, device, verdict);
      if (verdict?.kind === 'discarded' && DISCARD_POLICY[verdict.reason].retires)
        (verdict.mayPass === true ? struck : dead).push(device);
    }
  });
  books.acceptDevices(takenIds);
  bookTaken(books, taken);
  books.noteMissing(profile, 'profile-missing', verdicts.filter(isWithoutProfile).length);
  books.add('outstanding', again.length);
  const tried = { ...(booksAs ? { booksAs } : {}), limited: limited + Number(isLimited) };
  return { books, dead, struck, deferred: again.length === 0 ? undefined : { devices: again, dueAt, ...tried } };
}

/** Devices of some verdicts are not worth trying again and again. */
function afterTries(verdict: Verdict | undefined, tries: number): Verdict | undefined {
  if (verdict?.kind !== 'deferred' || verdict.maxTries === undefined || tries < verdict.maxTries) return verdict;
  const { reason, vendorCode, vendorMessage } = verdict;
  return refusal(reason, {
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(vendorMessage === undefined ? {} : { vendorMessage }),
  });
}

const isWithoutProfile = (verdict: Verdict | undefined): boolean =>
  verdict?.kind === 'discarded' && verdict.reason === 'profile-missing';

function bookTaken(books: Books, taken: readonly Accepted[]): void {
  /** A channel gives the same list to all devices of a call. */
  const noted = new Map<readonly string[], number>();
  for (const { notes } of taken) if (notes) noted.set(notes, (noted.get(notes) ?? 0) + 1);
  books.add('truncated', taken.filter(({ truncated }) => truncated === true).length);
  for (const [notes, count] of noted) for (const words of notes) books.note(words, count);
}

/** A deferred device is sent to the address it has by then. A device that the sender named by address has no other. */
const laterDevice = ({ objectId, registrationId }: WalkedDevice): PageDevice =>
  objectId === registrationId ? [objectId, registrationId] : [objectId];

function refuse(
  books: Books,
  { objectId }: WalkedDevice,
  verdict: Exclude<Verdict, { kind: 'accepted' | 'deferred' }> | undefined,
): void {
  if (verdict === undefined) return books.refuseDevice('failed', 'internal-error', { objectId });
  const { kind, reason, vendorCode, vendorMessage } = verdict;
  const words = {
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(vendorMessage === undefined ? {} : { vendorMessage }),
  };
  if (vendorCode === undefined) books.refuse(kind, reason, { count: 1, samples: [objectId], ...words });
  else books.refuseDevice(kind, reason, { objectId, ...words });
}
