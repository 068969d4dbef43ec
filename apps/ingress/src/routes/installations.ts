import {
  applySave,
  isJsonObject,
  LIMITS,
  overLimit,
  selectorOf,
  withoutOddAddress,
  type Installation,
  type Json,
  type JsonObject,
} from '@pushfleet/domain';
import { jsonAnswer, NOTHING, objectOf, type Answer } from '@pushfleet/http-edge';
import { type Logger } from '@pushfleet/service-kit';
import { type InstallationStore, type Saved, type SaveRequest } from '@pushfleet/store';
import { type CountByAddress } from '../http/address-limit';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { Refusal } from '../http/problem';
import { withoutSlashes } from '../http/api-routes';
import { chargeOf } from '../http/quotas';
import { fieldNamesOf, orderOf, rangeOf, wantsDocument, whereOf } from '../http/query';

const MAX_BODY_BYTES = LIMITS.installationBodyBytes.value;
/** A condition without an index reads every installation of the app. */
export const FIND_DEADLINE_MS = 30_000;

export interface InstallationPorts {
  readonly installations: Pick<InstallationStore, 'save' | 'saveIf' | 'get' | 'find' | 'remove' | 'removeIf'>;
  readonly countByAddress: CountByAddress;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly onRegistrationsMoved: (count: number) => void;
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
    create: {
      route: 'installations',
      countsAs: 'save',
      maxBodyBytes: MAX_BODY_BYTES,
      changes: (_, body) => namesIn(body),
      handle: (call) => create(ports, call),
    },
    update: {
      route: 'installation',
      countsAs: 'save',
      maxBodyBytes: MAX_BODY_BYTES,
      changes: ({ id = '' }, body) => [nameOf('objectId', id), ...namesIn(body)],
      handle: (call) => update(ports, call),
    },
    find: {
      route: 'installations',
      countsAs: 'query',
      lane: 'query',
      deadlineMs: FIND_DEADLINE_MS,
      handle: (call) => find(ports, call),
    },
    get: { route: 'installation', countsAs: 'query', handle: (call) => get(ports, call) },
    remove: { route: 'installation', handle: (call) => remove(ports, call) },
  };
}

/** By what a save finds its installation, what it takes from another one, and what a 4.x Android client calls it. */
const NAMING = ['objectId', 'installationId', 'registrationId', '__internalId'] as const;

const nameOf = (field: (typeof NAMING)[number], value: string): string => `${field} ${value}`;

function namesIn(body: Json): readonly string[] {
  if (!isJsonObject(body)) return [];
  return NAMING.flatMap((field) => {
    const value = body[field];
    return typeof value === 'string' && value !== '' ? [nameOf(field, value)] : [];
  });
}

async function create(ports: InstallationPorts, call: ApiCall): Promise<Answer> {
  const body = bodyOf(ports, call);
  const save = { ...saveBy(ports, call), body, now: ports.now() };
  const store = openSave(ports, call);
  const claimed = typeof body['objectId'] === 'string' ? body['objectId'] : undefined;
  // A client moved from another service sends the id it had there.
  const known = claimed === undefined ? undefined : await store({ ...save, objectId: claimed });
  if (!known) requireDevice(body);
  const saved = known ?? (await store(save));
  if (!saved) throw new Error('a save without objectId found no installation');
  tellOfMoves(ports, call, saved);
  const path = withoutSlashes(call.path);
  return jsonAnswer(201, wantsDocument(call.query) ? saved.installation : created(saved.installation, body), {
    location: `${ports.publicUrl ?? ''}${path}/${saved.installation.objectId}`,
  });
}

/** 4.x Android clients save by POST alone, and learn from its answer when they saved last. */
const created = ({ objectId, createdAt, updatedAt }: Installation, body: JsonObject): JsonObject =>
  '__internalId' in body ? { objectId, createdAt, updatedAt } : { objectId, createdAt };

/** Java 6.0.5 saves by POST alone, under a condition too: it asks about the installation that is there already. */
function openSave({ installations }: InstallationPorts, { query }: ApiCall) {
  if (!query.has('where')) return (save: SaveRequest) => installations.save(save);
  const where = whereOf(query);
  return async (save: SaveRequest): Promise<Saved | undefined> => {
    const saved = await installations.saveIf({ ...save, where, mayCreate: true });
    if (saved === 'unmatched') throw withoutEffect();
    return saved;
  };
}

const NAMES = ['installationId', 'deviceToken', 'deviceType'] as const;

/** A client that names no device would make another installation at each of its calls. */
function requireDevice(body: JsonObject): void {
  // Operations name nothing: none of them makes a text.
  if (NAMES.some((name) => typeof body[name] === 'string' && body[name] !== '')) return;
  // What is wrong with a field is told first.
  applySave({}, body);
  throw new Refusal('device-unnamed', `A new installation needs one of ${NAMES.join(', ')}.`);
}

/** Whose save it is: what the app key may not write stays as it is, and it pays for what it changes. */
function saveBy({ countByAddress }: InstallationPorts, call: ApiCall) {
  const { app, isMaster } = call.caller;
  if (isMaster) return { app: app.id };
  return { app: app.id, client: app.masterOnly, address: call.address, charge: chargeOf(call, countByAddress) };
}

/** What the device saves, without an address that no vendor could be given: the rest is worth keeping (docs/adr/0027). */
function bodyOf({ log }: InstallationPorts, call: ApiCall): JsonObject {
  const { body, leftOut } = withoutOddAddress(objectOf(call.json()));
  if (leftOut.length > 0)
    log.warn({ app: call.caller.app.id, leftOut }, 'a save brought an address that cannot be one');
  return body;
}

/** Vendors give a reinstalled app its old registrationId; whoever has seen another's may take it just so. */
function tellOfMoves({ log, onRegistrationsMoved }: InstallationPorts, { caller }: ApiCall, saved: Saved): void {
  const { tookFrom, installation } = saved;
  if (tookFrom.length === 0) return;
  onRegistrationsMoved(tookFrom.length);
  const moved = { app: caller.app.id, from: tookFrom, to: installation.objectId };
  log.warn(moved, 'the app key moved a registrationId to another installation');
}

async function update(ports: InstallationPorts, call: ApiCall): Promise<Answer> {
  const { query } = call;
  const { installations } = ports;
  const objectId = call.param('id');
  const save = { ...saveBy(ports, call), body: bodyOf(ports, call), objectId, now: ports.now() };
  const saved = query.has('where')
    ? await installations.saveIf({ ...save, where: whereOf(query) })
    : await installations.save(save);
  if (saved === 'unmatched') throw withoutEffect();
  if (!saved)
    throw new Refusal('object-missing', `Could not find object by id '${objectId}' for class '_Installation'.`);
  tellOfMoves(ports, call, saved);
  return jsonAnswer(200, wantsDocument(query) ? saved.installation : changed(saved.installation));
}

const changed = ({ updatedAt, objectId }: Installation) => ({ updatedAt, objectId });

const withoutEffect = (): Refusal => new Refusal('no-effect', 'No effect on updating/deleting a document.');

async function find({ installations }: InstallationPorts, call: ApiCall): Promise<Answer> {
  const { caller, query } = call;
  const select = selectorOf(fieldNamesOf(query));
  const request = { app: caller.app.id, where: whereOf(query), order: orderOf(query), ...rangeOf(query) };
  const { results, ...count } = await installations.find({ ...request, signal: call.signal() });
  return jsonAnswer(200, { results: results.map(select), ...count });
}

async function get({ installations }: InstallationPorts, call: ApiCall): Promise<Answer> {
  const found = await installations.get(call.caller.app.id, call.param('id'));
  return found ? jsonAnswer(200, selectorOf(fieldNamesOf(call.query))(found)) : NOTHING;
}

async function remove({ installations }: InstallationPorts, call: ApiCall): Promise<Answer> {
  const { query } = call;
  const app = call.caller.app.id;
  const ids = [...new Set(call.param('id').split(','))];
  if (ids.length > LIMITS.objectsInPath.value) throw overLimit('objectsInPath', 'one path may name');
  const where = query.has('where') ? whereOf(query) : undefined;
  const removed = await Promise.all(
    ids.map((id) => (where ? installations.removeIf(app, id, where) : installations.remove(app, id))),
  );
  if (where && !removed.includes(true)) throw withoutEffect();
  return { status: 200, body: '{}' };
}
