import { DISCARD_POLICY, type PageDevice, type Reason, type StoredPage } from '@pushfleet/domain';
import { Books, type WalkedDevice } from '@pushfleet/store';
import type { Verdict } from './send-batch';

/** What a page's verdicts mean for the books, for later, and for the audience. */
export interface BookedPage {
  readonly books: Books;
  /** Devices to try again; undefined when none was deferred. */
  readonly deferred: Pick<StoredPage, 'devices' | 'dueAt' | 'booksAs'> | undefined;
  /** Registrations that the vendor called dead. */
  readonly dead: readonly WalkedDevice[];
}

export interface PageVerdicts {
  /** The column of the books. */
  readonly channel: string;
  readonly devices: readonly WalkedDevice[];
  /** In the order of the devices. */
  readonly verdicts: readonly Verdict[];
  readonly now: number;
}

export function bookPage({ channel, devices, verdicts, now }: PageVerdicts): BookedPage {
  const books = new Books(channel);
  const dead: WalkedDevice[] = [];
  const again: PageDevice[] = [];
  let accepted = 0;
  let truncated = 0;
  let dueAt = 0;
  let booksAs: Reason | undefined;
  devices.forEach((device, i) => {
    const verdict = verdicts[i];
    if (verdict?.kind === 'accepted') {
      accepted += 1;
      if (verdict.truncated === true) truncated += 1;
    } else if (verdict?.kind === 'deferred') {
      again.push(laterDevice(device));
      dueAt = Math.max(dueAt, now + verdict.retryAfterMs);
      booksAs = verdict.reason;
    } else {
      refuse(books, device, verdict);
      if (verdict?.kind === 'discarded' && DISCARD_POLICY[verdict.reason].retires) dead.push(device);
    }
  });
  books.accept(accepted);
  books.add('truncated', truncated);
  books.add('outstanding', again.length);
  return {
    books,
    dead,
    deferred: again.length === 0 ? undefined : { devices: again, dueAt, ...(booksAs ? { booksAs } : {}) },
  };
}

/** Sent to where it is by then; an address that its sender knew himself is all there is of its device. */
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
