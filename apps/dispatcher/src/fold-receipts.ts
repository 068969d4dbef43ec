import { channelOfVendor } from '@pushfleet/channels';
import { isCountedReceipt } from '@pushfleet/domain';
import type { ReceiptsJob } from '@pushfleet/queues';
import type { Store } from '@pushfleet/store';

/** Writes vendors' later reports into the records of their pushes and retires registrations that are gone. */
export async function foldReceipts(store: Store, { app, channel, profile, receipts }: ReceiptsJob): Promise<void> {
  for (const { kind, pushId, registrationId } of receipts) {
    if (isCountedReceipt(kind)) {
      if (pushId !== undefined) await store.receipts.count({ app, pushId, channel, kind, registrationId });
    } else if (kind === 'registration-gone') {
      await retire(store, { app, channel, registrationId });
    }
  }
  if (profile !== undefined) await store.profiles.noteReceipt({ app, channel, profile });
}

/** A vendor may say that a device of its own is gone, and not a device of another vendor. */
async function retire(
  store: Store,
  { app, channel, registrationId }: { app: string; channel: string; registrationId: string },
): Promise<void> {
  const found = await store.installations.addressed(app, { field: 'registrationId', values: [registrationId] });
  for (const { installation } of found) {
    if (channelOfVendor.get(String(installation.vendor)) !== channel) continue;
    await store.installations.retire(app, { objectId: installation.objectId, registrationId });
  }
}
