import { LIMITS, selectorOf, type Installation } from '@pushfleet/domain';
import { type InstallationStore } from '@pushfleet/store';
import { jsonAnswer, NOTHING, type Answer } from '../http/answer';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { requireMaster } from '../http/authenticate';
import { Refusal } from '../http/problem';
import { keysOf, orderOf, rangeOf, wantsDocument, whereOf } from '../http/query';
import { objectOf } from '../http/read-body';

const MAX_BODY_BYTES = LIMITS.installationBodyBytes.value;
/** A condition without an index reads every installation of the app. */
export const FIND_DEADLINE_MS = 30_000;
/** In one path. */
const MAX_IDS = 1000;

export interface InstallationPorts {
  readonly installations: Pick<InstallationStore, 'save' | 'saveIf' | 'get' | 'find' | 'remove' | 'removeIf'>;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
}

export interface InstallationEndpoints {
  readonly create: ApiEndpoint;
  readonly find: ApiEndpoint;
  readonly get: ApiEndpoint;
  readonly update: ApiEndpoint;
  readonly remove: ApiEndpoint;
}

export function installationEndpoints(ports: InstallationPorts): InstallationEndpoints {
  return {
    create: { route: 'installations', maxBodyBytes: MAX_BODY_BYTES, handle: (call) => create(ports, call) },
    update: { route: 'installation', maxBodyBytes: MAX_BODY_BYTES, handle: (call) => update(ports, call) },
    find: { route: 'installations', deadlineMs: FIND_DEADLINE_MS, handle: (call) => find(ports, call) },
    get: { route: 'installation', handle: (call) => get(ports, call) },
    remove: { route: 'installation', handle: (call) => remove(ports, call) },
  };
}

async function create(ports: InstallationPorts, call: ApiCall): Promise<Answer> {
  const { installations } = ports;
  const body = objectOf(call.json());
  const save = { app: call.caller.app.id, body, now: ports.now() };
  const claimed = typeof body['objectId'] === 'string' ? body['objectId'] : undefined;
  // A client moved from another service sends the id it had there.
  const saved = (await installations.save({ ...save, objectId: claimed })) ?? (await installations.save(save));
  if (!saved) throw new Error('a save without objectId found no installation');
  const { objectId, createdAt } = saved.installation;
  const path = call.path.replace(/\/+$/, '');
  return jsonAnswer(201, wantsDocument(call.query) ? saved.installation : { objectId, createdAt }, {
    location: `${ports.publicUrl ?? ''}${path}/${objectId}`,
  });
}

async function update({ installations, now }: InstallationPorts, call: ApiCall): Promise<Answer> {
  const { query } = call;
  const objectId = call.param('id');
  const save = { app: call.caller.app.id, body: objectOf(call.json()), objectId, now: now() };
  const saved = query.has('where')
    ? await installations.saveIf({ ...save, where: whereOf(query) })
    : await installations.save(save);
  if (saved === 'unmatched') throw withoutEffect();
  if (!saved)
    throw new Refusal('object-missing', `Could not find object by id '${objectId}' for class '_Installation'.`);
  return jsonAnswer(200, wantsDocument(query) ? saved.installation : changed(saved.installation));
}

const changed = ({ updatedAt, objectId }: Installation) => ({ updatedAt, objectId });

const withoutEffect = (): Refusal => new Refusal('no-effect', 'No effect on updating/deleting a document.');

async function find({ installations }: InstallationPorts, { caller, query }: ApiCall): Promise<Answer> {
  const select = selectorOf(keysOf(query));
  const request = { app: caller.app.id, where: whereOf(query), order: orderOf(query), ...rangeOf(query) };
  const { results, ...count } = await installations.find(request);
  return jsonAnswer(200, { results: results.map(select), ...count });
}

async function get({ installations }: InstallationPorts, call: ApiCall): Promise<Answer> {
  const found = await installations.get(call.caller.app.id, call.param('id'));
  return found ? jsonAnswer(200, selectorOf(keysOf(call.query))(found)) : NOTHING;
}

async function remove({ installations }: InstallationPorts, call: ApiCall): Promise<Answer> {
  requireMaster(call.caller);
  const { query } = call;
  const app = call.caller.app.id;
  const ids = [...new Set(call.param('id').split(','))];
  if (ids.length > MAX_IDS) throw new Refusal('too-large', `at most ${MAX_IDS} objects in one path`);
  const where = query.has('where') ? whereOf(query) : undefined;
  const removed = await Promise.all(
    ids.map((id) => (where ? installations.removeIf(app, id, where) : installations.remove(app, id))),
  );
  if (where && !removed.includes(true)) throw withoutEffect();
  return { status: 200, body: '{}' };
}
