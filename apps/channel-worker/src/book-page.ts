import {
  DISCARD_POLICY,
  groupBy,
  isAtAddress,
  vendorWords,
  type Accepted,
  type PageDevice,
  type StoredPage,
} from '@pushfleet/domain';
import { Books, type WalkedDevice } from '@pushfleet/store';
import { refusal, type Later, type Verdict } from './verdict';

/** What a page's verdicts mean for the books, for later, and for the audience. */
export interface BookedPage {
  readonly books: Books;
  /** Devices to try again. Those that may have got the message are apart: they are not called for as often. */
  readonly deferred: readonly LaterPage[];
  /** Registrations that the vendor called dead. */
  readonly dead: readonly WalkedDevice[];
  /** Registrations that the vendor called dead in words that may pass. */
  readonly struck: readonly WalkedDevice[];
}

export interface LaterPage extends Pick<StoredPage, 'devices' | 'dueAt' | 'booksAs' | 'limited'> {
  readonly isUnknown: boolean;
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
  const again: LaterDevice[] = [];
  const taken: Accepted[] = [];
  const takenIds: string[] = [];
  devices.forEach((device, i) => {
    const verdict = afterTries(verdicts[i], limited + 1);
    if (verdict?.kind === 'accepted') {
      taken.push(verdict);
      takenIds.push(device.objectId);
    } else if (verdict?.kind === 'deferred') {
      again.push({ device: laterDevice(device), verdict });
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
  return { books, dead, struck, deferred: laterPages(again, { limited, now }) };
}

interface LaterDevice {
  readonly device: PageDevice;
  readonly verdict: Later;
}

function laterPages(
  again: readonly LaterDevice[],
  { limited, now }: Pick<PageVerdicts, 'limited' | 'now'>,
): readonly LaterPage[] {
  const groups = groupBy(again, ({ verdict }) => verdict.isUnknown === true);
  return [...groups].map(([isUnknown, group]) => {
    const booksAs = group.at(-1)?.verdict.reason;
    const isLimited = group.some(({ verdict }) => verdict.maxTries !== undefined);
    return {
      devices: group.map(({ device }) => device),
      dueAt: now + Math.max(...group.map(({ verdict }) => verdict.retryAfterMs)),
      ...(booksAs ? { booksAs } : {}),
      limited: limited + Number(isLimited),
      isUnknown,
    };
  });
}

/** Devices of some verdicts are not worth trying again and again. */
function afterTries(verdict: Verdict | undefined, tries: number): Verdict | undefined {
  if (verdict?.kind !== 'deferred' || verdict.maxTries === undefined || tries < verdict.maxTries) return verdict;
  return refusal(verdict.reason, vendorWords(verdict));
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
const laterDevice = (device: WalkedDevice): PageDevice =>
  isAtAddress(device) ? [device.objectId, device.registrationId] : [device.objectId];

function refuse(
  books: Books,
  { objectId }: WalkedDevice,
  verdict: Exclude<Verdict, { kind: 'accepted' | 'deferred' }> | undefined,
): void {
  if (verdict === undefined) return books.refuseDevice('failed', 'internal-error', { objectId });
  const { kind, reason } = verdict;
  const words = vendorWords(verdict);
  if (words.vendorCode === undefined) books.refuse(kind, reason, { count: 1, samples: [objectId], ...words });
  else books.refuseDevice(kind, reason, { objectId, ...words });
}
