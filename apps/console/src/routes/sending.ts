import { LIMITS, preflightStateSchema, pushedSchema, type JsonObject } from '@pushfleet/domain';
import { jsonAnswer, type Answer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { get, post, remove, type AdminRoute, type Taking } from '../http/admin-route';
import { wholeNumber } from '../http/page-range';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { placeOf, Unclear, type PushApiAnswer } from '../push-api';
import { requireApp } from '../require-app';

/** A push that names its devices is the largest. */
const PUSH: Taking = { maxBodyBytes: LIMITS.devicePushBytes.value };
/** It changes nothing. */
const QUESTION: Taking = { ...PUSH, audited: false };

const MAX_CONFIRMED = 1_000_000_000;

const sendSchema = z.strictObject({
  confirmed: wholeNumber({ min: 0, max: MAX_CONFIRMED, digits: 10 }).optional(),
});

const questionSchema = z.strictObject({ exact: z.literal('1').optional() });

/** The hexadecimal id that the push API gives a walk. */
const PREFLIGHT_ID = /^[0-9a-f]{32}$/;

type Ports = Pick<ConsolePorts, 'store' | 'pushApi'>;

/** Pushes of people: handed over to the push API with the master key of their app. */
export const sendingRoutes = (ports: Ports): readonly AdminRoute[] => [
  ...pushesOfPeople(ports),
  ...preflightRoutes(ports),
  unreachedRoute(ports),
];

function pushesOfPeople(ports: Ports): readonly AdminRoute[] {
  const { pushApi } = ports;
  return [
    post(
      '/apps/:id/pushes',
      async ({ params, query, body, changed }) => {
        const app = await requireApp(ports, params.id);
        const { confirmed } = parse(sendSchema, query);
        const agreed = confirmed === undefined ? {} : { confirmed };
        const asked = pushApi.ask(app, { method: 'POST', path: roadOf(body), body });
        const answer = await decided(asked, () => changed({}, { ...agreed, outcome: 'unknown' }));
        // It is accepted, whatever the answer tells of it.
        changed({}, agreed);
        changed({}, { objectId: pushedSchema.parse(answer.body).objectId, ...agreed });
        return jsonAnswer(201, answer.body);
      },
      PUSH,
    ),

    remove('/apps/:id/pushes/:pushId', async ({ params, changed }) => {
      const app = await requireApp(ports, params.id);
      const asked = pushApi.ask(app, { method: 'DELETE', path: placeOf(params.pushId) });
      const { body } = await decided(asked, () => changed({}, { outcome: 'unknown' }));
      const counts = body as JsonObject;
      if (Object.keys(counts).length === 0)
        throw new Problem('not-found', `the app ${app.id} has no push ${JSON.stringify(params.pushId)} to cancel`);
      changed({}, counts);
      return jsonAnswer(200, counts);
    }),
  ];
}

/** What may have been done is told, whether or not its answer arrives. */
async function decided(asked: Promise<PushApiAnswer>, tell: () => void): Promise<PushApiAnswer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unclear) tell();
    throw error;
  }
}

function preflightRoutes(ports: Ports): readonly AdminRoute[] {
  const { pushApi } = ports;
  return [
    post(
      '/apps/:id/pushes/preflight',
      async ({ params, query, body, signal }) => {
        const app = await requireApp(ports, params.id);
        const exact = parse(questionSchema, query).exact === undefined ? '' : '&exact=1';
        const path = `${roadOf(body)}?preflight=1${exact}`;
        return preflightAnswer(app.id, await pushApi.ask(app, { method: 'POST', path, body, signal: signal() }));
      },
      QUESTION,
    ),

    get('/apps/:id/preflights/:preflightId', async ({ params, signal }) => {
      const app = await requireApp(ports, params.id);
      const { preflightId } = params;
      if (!PREFLIGHT_ID.test(preflightId)) throw new Problem('not-found', 'there is no such pre-flight');
      const call = { method: 'GET', path: `push/preflight/${preflightId}`, signal: signal() } as const;
      return preflightAnswer(app.id, await pushApi.ask(app, call));
    }),
  ];
}

const unreachedSchema = z.strictObject({
  reason: z.string().min(1).max(64),
  channel: z.string().min(1).max(64),
  cursor: z.string().min(1).max(512).optional(),
});

const outcomesSchema = z.looseObject({
  results: z.array(z.looseObject({ objectId: z.string().optional(), gone: z.boolean().optional() })),
  cursor: z.string().nullable(),
  complete: z.boolean(),
});

/** As many as one push names: whom another push may be addressed to. */
const unreachedRoute = (ports: Ports): AdminRoute =>
  get('/apps/:id/pushes/:pushId/unreached', async ({ params, query, signal }) => {
    const app = await requireApp(ports, params.id);
    const asked = new URLSearchParams({ ...parse(unreachedSchema, query), limit: String(LIMITS.deviceIds.value) });
    const path = `${placeOf(params.pushId)}/devices?${asked}`;
    const { body } = await ports.pushApi.ask(app, { method: 'GET', path, signal: signal() });
    const { results, cursor, complete } = outcomesSchema.parse(body);
    const known = results.flatMap(({ objectId, gone }) => (objectId === undefined || gone ? [] : [objectId]));
    return jsonAnswer(200, { object_ids: known, ...(cursor === null ? {} : { cursor }), complete });
  });

/** A push that names its devices goes another way than one that describes them. */
function roadOf(body: unknown): string {
  const { installation_ids: installations, object_ids: objects } = body as JsonObject;
  return installations === undefined && objects === undefined ? 'push' : 'push/installations';
}

/** A walk that takes longer is asked for again, at an address of this API. */
function preflightAnswer(app: string, { status, body }: PushApiAnswer): Answer {
  if (status !== 202) return jsonAnswer(200, body);
  const state = preflightStateSchema.parse(body);
  const id = state.path.slice(state.path.lastIndexOf('/') + 1);
  return jsonAnswer(202, { ...state, path: `/api/v1/apps/${encodeURIComponent(app)}/preflights/${id}` });
}
