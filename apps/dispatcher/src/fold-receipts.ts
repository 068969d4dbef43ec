import { deviceAtAddress, isCountedReceipt } from '@pushfleet/domain';
import type { ReceiptsJob } from '@pushfleet/queues';
import type { Store } from '@pushfleet/store';

/** Writes vendors' later reports into the records of their pushes and retires registrations that are gone. */
export async function foldReceipts(store: Store, { app, channel, profile, receipts }: ReceiptsJob): Promise<void> {
  for (const { kind, pushId, registrationId } of receipts) {
    if (isCountedReceipt(kind)) {
      if (pushId !== undefined) await store.receipts.count({ app, pushId, channel, kind, registrationId });
    } else if (kind === 'registration-gone') {
      const from = { channel, profile };
      await store.installations.retire(app, { from, ...deviceAtAddress(registrationId) });
    }
  }
  if (profile !== undefined) await store.profiles.noteReceipt({ app, channel, profile });
}
