import type { ReceiptsJob } from '@pushfleet/queues';
import type { Store } from '@pushfleet/store';

/** Writes vendors' later reports into the records of their pushes and retires registrations that are gone. */
export async function foldReceipts(store: Store, { app, channel, receipts }: ReceiptsJob): Promise<void> {
  for (const { kind, pushId, registrationId } of receipts) {
    if (kind === 'delivered' || kind === 'clicked') {
      if (pushId !== undefined) await store.receipts.count({ app, pushId, channel, kind, registrationId });
    } else if (kind === 'registration-gone') {
      await retire(store, app, registrationId);
    }
  }
}

async function retire(store: Store, app: string, registrationId: string): Promise<void> {
  const found = await store.installations.addressed(app, { field: 'registrationId', values: [registrationId] });
  for (const { installation } of found) {
    await store.installations.retire(app, { objectId: installation.objectId, registrationId });
  }
}
