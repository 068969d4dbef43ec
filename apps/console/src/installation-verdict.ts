import {
  adviceFor,
  type App,
  type Installation,
  type JsonObject,
  type PushRecord,
  type Reason,
} from '@pushfleet/domain';
import { fewAtOnce, type DeviceVerdict, type PushToSend, type Store } from '@pushfleet/store';
import { explainDevice, type Device, type Explanation } from './explain-device';
import { fateRules } from './fate-rules';
import { Problem } from './http/problem';
import type { ConsolePorts } from './ports';

interface Question {
  readonly app: App;
  /** At least one. */
  readonly records: readonly PushRecord[];
  /** An objectId or an installationId. */
  readonly id: string;
}

/** What became of one installation in a push. */
export async function installationVerdict(ports: ConsolePorts, { app, records, id }: Question): Promise<JsonObject> {
  const installation = await findInstallation(ports, app.id, id);
  const objectId = installation?.objectId ?? id;
  const installationId = installation?.['installationId'];
  const identity = { objectId, ...(installationId === undefined ? {} : { installationId }) };
  for (const record of records) {
    const verdict = await verdictOf(ports, record, { objectId, installation });
    if (verdict) return { ...identity, ...verdict, action: adviceFor(verdict.reason) };
  }
  if (!installation)
    throw new Problem('not-found', `no installation has this objectId or installationId: ${JSON.stringify(id)}`);
  return { ...identity, ...(await explain(ports, { app, records, installation })) };
}

/** A push that lists addresses itself names its devices by them. */
export async function verdictOf(
  { store }: Pick<ConsolePorts, 'store'>,
  { objectId: pushId, isToDevices }: PushRecord,
  { objectId, installation }: { readonly objectId: string; readonly installation: Installation | undefined },
): Promise<DeviceVerdict | undefined> {
  const address = isToDevices === true ? installation?.['registrationId'] : undefined;
  const byAddress = typeof address === 'string' ? await store.pushes.verdict(pushId, address) : undefined;
  return byAddress ?? store.pushes.verdict(pushId, objectId);
}

/** What was kept of every device tells of one that the record does not name, unless a rule refused it with too many others. */
export async function keptOutcome(
  { store }: Pick<ConsolePorts, 'store'>,
  { objectId: pushId, isToDevices }: PushRecord,
  {
    installation: { objectId, registrationId },
    fate,
  }: { readonly installation: Installation; readonly fate: Explanation },
): Promise<JsonObject | undefined> {
  if (fate.outcome !== 'not-kept') return undefined;
  const address = isToDevices === true && typeof registrationId === 'string' ? registrationId : undefined;
  const byAddress = address === undefined ? undefined : await store.outcomes.of(pushId, address);
  const kept = byAddress ?? (await store.outcomes.of(pushId, objectId));
  if (!kept) return undefined;
  return { ...kept, ...(kept.reason === undefined ? {} : { action: adviceFor(kept.reason as Reason) }) };
}

async function findInstallation(
  { store }: Pick<ConsolePorts, 'store'>,
  app: string,
  id: string,
): Promise<Installation | undefined> {
  const byObjectId = await store.installations.get(app, id);
  if (byObjectId) return byObjectId;
  const range = { limit: 1, skip: 0, count: false };
  return (await store.installations.find({ app, where: { installationId: id }, ...range })).results[0];
}

async function explain(
  { store, channels }: Pick<ConsolePorts, 'store' | 'channels'>,
  { app, records, installation }: Omit<Question, 'id'> & { readonly installation: Installation },
): Promise<JsonObject> {
  const address = { field: 'objectId', values: [installation.objectId] } as const;
  const [addressed] = await store.installations.addressed(app.id, address);
  const device: Device = { installation, bucket: addressed?.bucket };
  const rules = await fateRules({ store, channels }, app);
  const explained = await fewAtOnce(records, async (record) => ({
    record,
    push: await pushAsOfNow(store, record.objectId),
  }));
  const explanations = explained.flatMap(({ push, record }) =>
    push ? [explainDevice(device, { push, record }, rules)] : [],
  );
  const explanation = explanations.find(({ outcome }) => outcome !== 'not-matched') ?? explanations[0];
  if (!explanation) return {};
  for (const record of records) {
    const kept = await keptOutcome({ store }, record, { installation, fate: explanation });
    if (kept) return kept;
  }
  return { ...explanation };
}

/** The sub-queries of a push that was not dispatched yet are answered as they would be now. */
async function pushAsOfNow(
  { pushes, installations }: Pick<Store, 'pushes' | 'installations'>,
  pushId: string,
): Promise<PushToSend | undefined> {
  const push = await pushes.toSend(pushId);
  if (push?.audience.predicate === undefined) return push;
  const predicate = await installations.resolve(push.app, push.audience.predicate);
  return { ...push, audience: { ...push.audience, predicate } };
}
