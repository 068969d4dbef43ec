import { LIMITS, writeJson } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { z } from 'zod';
import { act, DEAR, get, LONG, post, remove, type AdminRoute, type Taking } from '../http/admin-route';
import { cursorLike, wholeNumber } from '../http/page-range';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import { findInstallations } from '../find-installations';
import { importInstallations, installationImportSchema } from '../import-installations';
import type { ConsolePorts } from '../ports';
import { requireApp } from '../require-app';

/** Rows cost less to store the more of them come at once. */
const IMPORT: Taking = { maxBodyBytes: LIMITS.importBytes.value, bodyLevels: 'batchJsonLevels', ...LONG };

const MAX_LIMIT = 1000;
/** A page ends after this many bytes even when more would fit. */
const PAGE_BYTES = 1024 * 1024;

const pageSchema = z.strictObject({
  limit: wholeNumber({ min: 1, max: MAX_LIMIT, digits: 4 }).default(MAX_LIMIT),
  cursor: cursorLike(/^[\w-]{1,64}$/),
  where: z.string().min(1).optional(),
});

/** Takes installations over from another service, and hands all of an app out. */
export function installationRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { installations } = ports.store;
  return [
    post(
      '/apps/:id/installations/import',
      async ({ params, body, changed }) => {
        const app = await requireApp(ports, params.id);
        const wish = parse(installationImportSchema, body);
        const onStored = (counts: Readonly<Record<'created' | 'updated', number>>): void =>
          changed({}, { rows: wish.rows.length, dryRun: wish.dryRun, ...counts });
        const onUnclear = (): void => changed({}, { rows: wish.rows.length, outcome: 'unknown' });
        const imported = await importInstallations(ports, app, { ...wish, onStored, onUnclear });
        const { created, updated } = imported;
        if (wish.dryRun) onStored({ created, updated });
        return jsonAnswer(200, imported);
      },
      IMPORT,
    ),

    listRoute(ports),

    get('/apps/:id/installations/:installationId', async ({ params }) => {
      const app = await requireApp(ports, params.id);
      const { installationId } = params;
      const found = await installations.inspect(app.id, installationId);
      if (!found) throw noInstallation(app.id, installationId);
      return jsonAnswer(200, found);
    }),

    remove('/apps/:id/installations/:installationId', async ({ params }) => {
      const app = await requireApp(ports, params.id);
      const found = await installations.inspect(app.id, params.installationId);
      if (!found || !(await installations.remove(app.id, found.installation.objectId)))
        throw noInstallation(app.id, params.installationId);
      return jsonAnswer(200, {});
    }),

    act('/apps/:id/installations/:installationId/retire', async ({ params }) => {
      const app = await requireApp(ports, params.id);
      const found = await installations.inspect(app.id, params.installationId);
      if (!found) throw noInstallation(app.id, params.installationId);
      const { objectId, registrationId } = found.installation;
      if (typeof registrationId !== 'string' || registrationId === '')
        throw new Problem('conflict', `installation ${objectId} has no registrationId that could be retired`);
      await installations.retire(app.id, { objectId, registrationId });
      return jsonAnswer(200, {});
    }),
  ];
}

const listRoute = (ports: ConsolePorts): AdminRoute =>
  get(
    '/apps/:id/installations',
    async ({ params, query, signal }) => {
      const app = await requireApp(ports, params.id);
      const { limit, cursor, where } = parse(pageSchema, query);
      const wish = { app: app.id, after: cursor, limit };
      const isSearch = where !== undefined;
      const { results, end, lookedAt } = await (isSearch
        ? findInstallations(ports, { ...wish, where, signal: signal() })
        : ports.store.installations.export(wish));
      const texts = withinPage(results.map((installation) => writeJson(installation)));
      const last = texts.length < results.length ? results[texts.length - 1]?.objectId : end?.objectId;
      const total = cursor === undefined ? await ports.store.installations.count(app.id) : undefined;
      const more = JSON.stringify({ cursor: last, total, lookedAt: isSearch ? lookedAt : undefined }).slice(1);
      return { status: 200, body: `{"results":[${texts.join(',')}]${more === '}' ? more : `,${more}`}` };
    },
    DEAR,
  );

const noInstallation = (app: string, id: string): Problem =>
  new Problem('not-found', `app ${app} has no installation ${id}`);

/** At least one. */
function withinPage(texts: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex((text, i) => (bytes += Buffer.byteLength(text)) > PAGE_BYTES && i > 0);
  return end === -1 ? texts : texts.slice(0, end);
}
