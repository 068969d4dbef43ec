import type { MemoryGuard } from '../kit/memory-guard';
import { openAcceptPushes, type AcceptedPush, type OnNamed } from './accept';
import type { NewPush } from './new-push';
import { openPushAudit, type PushAudit } from './audit';
import { openClosedPushes, type ClosedPushes } from './closed-pushes';
import { openLedger, type Ledger } from './ledger';
import { openWorkCount, type CountOpenWork } from './open-work';
import { openPushRoom, type OpenPushRoom } from './open-push-room';
import { openOwnTexts, type OwnTexts } from './own-texts';
import { openOutcomes, type Outcomes } from './outcomes';
import type { PushParts } from './push-parts';
import { openReceiptSignatures, type ReceiptSignatures } from './receipt-signatures';
import { openReceiptBooks, type ReceiptBooks } from './receipts';
import { openPushRecords, type PushRecords } from './records';
import { openSchedule, type PushSchedule } from './schedule';
import { openTotals, type Total } from './totals';

export interface PushStores {
  readonly pushes: PushRecords;
  readonly ledger: Ledger;
  readonly audit: PushAudit;
  readonly countOpenWork: CountOpenWork;
  /** What became of the devices of all pushes. */
  readonly deviceTotals: () => Promise<readonly Total[]>;
  readonly closed: ClosedPushes;
  readonly ownTexts: OwnTexts;
  /** What became of every device of a push. */
  readonly outcomes: Outcomes;
  readonly receipts: ReceiptBooks;
  readonly receiptSignatures: ReceiptSignatures;
  /** Rejects while Redis has no room for more reports of vendors to wait in it. */
  readonly requireReceiptRoom: () => Promise<void>;
  readonly schedule: PushSchedule;
  /** Of pushes that are not done. */
  readonly pushRoom: OpenPushRoom;
  acceptPushes(pushes: readonly NewPush[], onNamed?: OnNamed): Promise<readonly AcceptedPush[]>;
}

interface Parts extends PushParts {
  readonly memory: MemoryGuard;
  readonly now: () => number;
}

export function openPushStores(parts: Parts): PushStores {
  const { memory, now } = parts;
  const pushes = openPushRecords(parts);
  const audit = openPushAudit(parts);
  const acceptPushes = openAcceptPushes(parts);
  return {
    pushes,
    ledger: openLedger(parts),
    audit,
    countOpenWork: openWorkCount({ ...parts, audit }),
    deviceTotals: openTotals(parts),
    closed: openClosedPushes(parts),
    ownTexts: openOwnTexts(parts),
    outcomes: openOutcomes(parts),
    receipts: openReceiptBooks(parts),
    receiptSignatures: openReceiptSignatures(parts),
    requireReceiptRoom: () => memory.requireRoom('receipts'),
    schedule: openSchedule({ ...parts, pushes }),
    pushRoom: openPushRoom(parts),
    async acceptPushes(group, onNamed) {
      await memory.requireRoom('request');
      return acceptPushes(group, now(), onNamed);
    },
  };
}
