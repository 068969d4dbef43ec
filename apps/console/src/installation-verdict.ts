import {
  adviceFor,
  OWN_CHANNEL,
  type App,
  type Installation,
  type JsonObject,
  type PushRecord,
} from '@pushfleet/domain';
import type { PushToSend, Store } from '@pushfleet/store';
import { explainDevice, type Device } from './explain-device';
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
    const verdict = await ports.store.pushes.verdict(record.objectId, objectId);
    if (verdict) return { ...identity, ...verdict, action: adviceFor(verdict.reason) };
  }
  if (!installation)
    throw new Problem('not-found', `no installation has this objectId or installationId: ${JSON.stringify(id)}`);
  return { ...identity, ...(await explain(ports, { app, records, installation })) };
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
  const rules = {
    hybrid: app.hybrid,
    profiles: await store.profiles.names(app.id),
    available: new Set([...channels.keys(), OWN_CHANNEL]),
  };
  const pushes = await Promise.all(records.map(({ objectId }) => pushAsOfNow(store, objectId)));
  const explanations = pushes.flatMap((push) => (push ? [explainDevice(device, push.audience, rules)] : []));
  const explanation = explanations.find(({ outcome }) => outcome !== 'not-matched') ?? explanations[0];
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
