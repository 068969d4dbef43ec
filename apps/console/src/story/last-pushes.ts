import { adviceFor, type CountedReceipt, type Installation, type JsonObject, type PushRecord } from '@pushfleet/domain';
import { pastFate, type Device } from '../explain-device';
import { keptOutcome, verdictOf } from '../installation-verdict';
import type { ConsolePorts } from '../ports';

export interface DevicePast {
  readonly device: Device & { readonly installation: Installation };
  /** Pushes whose messages wait in the mailbox of the device. */
  readonly heldPushes: readonly string[];
}

/** The newest pushes of the app that are looked at, and those that are told of. */
const MAX_LOOKED_AT = 200;
const MAX_TOLD = 20;
/** Read at the same time. */
const AT_ONCE = 25;

type Ports = Pick<ConsolePorts, 'store' | 'channels'>;

/** The last pushes that were for the device, by what their records hold and never by the rules of today. */
export async function lastPushes(
  { store }: Ports,
  app: string,
  past: DevicePast,
): Promise<{
  readonly pushes: readonly JsonObject[];
  readonly pushesLookedAt: number;
}> {
  const { pushes } = store;
  const told = new Map<string, Told>();
  const look = async (records: readonly (PushRecord | undefined)[]): Promise<void> => {
    const found = await Promise.all(records.map((record) => record && toldOf({ store }, record, past)));
    for (const one of found) if (one) told.set(one.record.objectId, one);
  };
  const held = past.heldPushes.slice(-MAX_TOLD);
  await look(await Promise.all(held.map((pushId) => pushes.read(pushId))));
  let lookedAt = 0;
  // A page is short where records are no longer kept, too: it is not the end of the list.
  for (let skip = 0; skip < MAX_LOOKED_AT && told.size < MAX_TOLD + held.length; skip += AT_ONCE) {
    const records = await pushes.list(app, { limit: AT_ONCE, skip });
    await look(records);
    lookedAt += records.length;
  }
  const newest = [...told.values()].sort((a, b) => b.record.createdAt - a.record.createdAt).slice(0, MAX_TOLD);
  return {
    pushes: newest.map((one) => viewOf(one, past)),
    pushesLookedAt: lookedAt,
  };
}

interface Told {
  readonly record: PushRecord;
  readonly outcome: JsonObject;
  /** What was reported of the device later. */
  readonly receipts: readonly CountedReceipt[];
}

/** Undefined for a push that was not for the device as far as is known, or that nobody has dispatched yet. */
async function toldOf(
  { store }: Pick<Ports, 'store'>,
  record: PushRecord,
  { device, heldPushes }: DevicePast,
): Promise<Told | undefined> {
  const { installation } = device;
  const { objectId: pushId } = record;
  const receiptsOf = () => store.receipts.of(pushId, namesOf(installation));
  const verdict = await verdictOf({ store }, record, {
    objectId: installation.objectId,
    installation,
  });
  if (verdict)
    return {
      record,
      outcome: { ...verdict, action: adviceFor(verdict.reason) },
      receipts: await receiptsOf(),
    };
  const push = await store.pushes.toSend(pushId);
  if (push?.isDispatched !== true) return undefined;
  const isHeld = heldPushes.includes(pushId);
  const fate = pastFate(device, { push, record });
  const isForOthers = fate.outcome === 'not-matched' && !isHeld;
  if (isForOthers) return undefined;
  const receipts = await receiptsOf();
  const kept = await keptOutcome({ store }, record, { installation, fate });
  if (kept) return { record, outcome: kept, receipts };
  if (receipts.length > 0 || isHeld) return { record, outcome: { ...fate, ...PROVEN }, receipts };
  // The list of its devices is gone: it may have been for any.
  return push.audience.isForgotten === true ? undefined : { record, outcome: { ...fate }, receipts };
}

const PROVEN = {
  outcome: 'accepted',
  message: 'A receipt of the device or its mailbox shows that it was accepted.',
} as const;

/** What vendors and gateways call the device in their reports. */
const namesOf = ({ registrationId, installationId }: Installation): readonly string[] =>
  [registrationId, installationId].filter((name): name is string => typeof name === 'string' && name !== '');

function viewOf({ record, outcome, receipts }: Told, { heldPushes }: DevicePast): JsonObject {
  const { objectId, notificationId, status, createdAt, isCancelled } = record;
  return {
    objectId,
    notificationId,
    status,
    createdAt: new Date(createdAt).toISOString(),
    ...(isCancelled === true ? { cancelled: true } : {}),
    ...outcome,
    ...(receipts.length === 0 ? {} : { receipts }),
    ...(heldPushes.includes(objectId) ? { inMailbox: true } : {}),
  };
}
