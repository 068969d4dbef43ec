import { hash } from 'node:crypto';
import { isCountedReceipt, LIMITS, overLimit, type Receipt } from '@pushfleet/domain';
import { type NewJob, type ReceiptsJob } from '@pushfleet/queues';

/** A job is worked off in one go: others have their turn after as many. */
const PER_JOB = 500;
/** Whatever is listed is parted by commas; the longest entry that a vendor is known to send has eight. */
const COMMAS_PER_ENTRY = 8;
const MAX_STATUS_LENGTH = 32;
const MAX_PUSH_ID_LENGTH = 64;

/** Refuses a body that lists more than it may, before it is parsed: a list of short names is a hundred times as large then. */
export function checkReceiptEntries(body: string): void {
  const most = COMMAS_PER_ENTRY * LIMITS.receiptEntries.value;
  if ((body.match(/,|%2C/gi)?.length ?? 0) > most) throw tooMany();
}

const tooMany = () => overLimit('receiptEntries', 'the report lists too many devices:');

/** What of a report changes anything, each once, in jobs of bounded size. */
export function receiptJobs(from: Omit<ReceiptsJob, 'receipts'>, body: string, receipts: readonly Receipt[]) {
  if (receipts.length > LIMITS.receiptEntries.value) throw tooMany();
  const useful = new Map(receipts.filter(isUseful).map((receipt) => [identityOf(receipt), shortened(receipt)]));
  const all = [...useful.values()];
  const digest = hash('sha256', JSON.stringify([from.app, from.channel, body]), 'hex');
  const jobs: NewJob<ReceiptsJob>[] = [];
  // The same report sent twice while the first still waits is the same jobs.
  for (let at = 0; at < all.length; at += PER_JOB)
    jobs.push({ id: `${digest}-${at}`, data: { ...from, receipts: all.slice(at, at + PER_JOB) } });
  return jobs;
}

/** A status that nobody knows changes nothing, nor does what names no push or no device of ours. */
function isUseful({ kind, pushId, registrationId }: Receipt): boolean {
  if (kind === 'ignored' || Buffer.byteLength(registrationId) > LIMITS.registrationIdBytes.value) return false;
  return !isCountedReceipt(kind) || (pushId !== undefined && pushId.length <= MAX_PUSH_ID_LENGTH);
}

const identityOf = ({ kind, pushId, registrationId }: Receipt): string =>
  JSON.stringify([kind, pushId, registrationId]);

function shortened({ pushId, ...receipt }: Receipt): Receipt {
  const isShort = pushId !== undefined && pushId.length <= MAX_PUSH_ID_LENGTH;
  const vendorStatus = receipt.vendorStatus.slice(0, MAX_STATUS_LENGTH);
  return { ...receipt, vendorStatus, ...(isShort ? { pushId } : {}) };
}
