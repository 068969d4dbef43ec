import { MAX_INSTALLATION_BYTES, type Installation, type JsonObject } from '@pushfleet/domain';
import { type InstallationStore } from '@pushfleet/store';
import { type Request } from 'express';
import { jsonAnswer, type Answer } from '../http/answer';
import { type Authenticate, requireMaster } from '../http/authenticate';
import { type Endpoint } from '../http/endpoint';
import { queryOf, rangeOf, wantsDocument, whereOf } from '../http/query';
import { paramOf } from '../http/param';
import { Refusal } from '../http/problem';
import { parseJsonObject } from '../http/read-body';

/** A save may spell an operation where the stored document has a value. */
const MAX_BODY_BYTES = MAX_INSTALLATION_BYTES + 16 * 1024;
/** A condition without an index reads every installation of the app. */
const FIND_DEADLINE_MS = 30_000;

export interface InstallationPorts {
  readonly authenticate: Authenticate;
  readonly installations: Pick<InstallationStore, 'save' | 'get' | 'find' | 'remove'>;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
}

export interface InstallationEndpoints {
  readonly create: Endpoint;
  readonly find: Endpoint;
  readonly get: Endpoint;
  readonly update: Endpoint;
  readonly remove: Endpoint;
}

export function installationEndpoints(ports: InstallationPorts): InstallationEndpoints {
  const { authenticate, installations } = ports;
  return {
    create: { route: 'installations', maxBodyBytes: MAX_BODY_BYTES, handle: (req, body) => create(ports, req, body) },
    update: { route: 'installation', maxBodyBytes: MAX_BODY_BYTES, handle: (req, body) => update(ports, req, body) },
    find: {
      route: 'installations',
      deadlineMs: FIND_DEADLINE_MS,
      async handle(req) {
        const { app } = await authenticate(req.headers);
        const query = queryOf(req);
        return jsonAnswer(200, await installations.find({ app: app.id, where: whereOf(query), ...rangeOf(query) }));
      },
    },
    get: {
      route: 'installation',
      async handle(req) {
        const { app } = await authenticate(req.headers);
        return jsonAnswer(200, (await installations.get(app.id, paramOf(req, 'id'))) ?? {});
      },
    },
    remove: {
      route: 'installation',
      async handle(req) {
        const caller = await authenticate(req.headers);
        requireMaster(caller);
        await installations.remove(caller.app.id, paramOf(req, 'id'));
        return jsonAnswer(200, {});
      },
    },
  };
}

async function create(ports: InstallationPorts, req: Request, text: string): Promise<Answer> {
  const { installations } = ports;
  const { app } = await ports.authenticate(req.headers);
  const body = parseJsonObject(text);
  const save = { app: app.id, body, now: ports.now() };
  const claimed = typeof body['objectId'] === 'string' ? body['objectId'] : undefined;
  // A client moved from another service sends the id it had there.
  const saved = (await installations.save({ ...save, objectId: claimed })) ?? (await installations.save(save));
  if (!saved) throw new Error('a save without objectId found no installation');
  const { objectId, createdAt } = saved.installation;
  const path = req.path.replace(/\/+$/, '');
  return jsonAnswer(201, wantsDocument(queryOf(req)) ? saved.installation : { objectId, createdAt }, {
    location: `${ports.publicUrl ?? ''}${path}/${objectId}`,
  });
}

async function update(ports: InstallationPorts, req: Request, text: string): Promise<Answer> {
  const { installations } = ports;
  const { app } = await ports.authenticate(req.headers);
  const body = parseJsonObject(text);
  const query = queryOf(req);
  const objectId = paramOf(req, 'id');
  if (query.has('where')) await requireMatch(installations, { app: app.id, objectId, where: whereOf(query) });
  const saved = await installations.save({ app: app.id, body, objectId, now: ports.now() });
  if (!saved)
    throw new Refusal('object-missing', `Could not find object by id '${objectId}' for class '_Installation'.`);
  return jsonAnswer(200, wantsDocument(query) ? saved.installation : changed(saved.installation));
}

const changed = ({ updatedAt, objectId }: Installation) => ({ updatedAt, objectId });

async function requireMatch(
  installations: InstallationPorts['installations'],
  { app, objectId, where }: { app: string; objectId: string; where: JsonObject },
): Promise<void> {
  const { results } = await installations.find({
    ...{ app, where: { ...where, objectId } },
    ...{ limit: 1, skip: 0, count: false },
  });
  if (results.length === 0) throw new Refusal('no-effect', 'No effect on updating/deleting a document.');
}
