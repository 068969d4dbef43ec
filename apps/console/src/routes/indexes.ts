import { LIMITS, unindexable } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import type { ColumnIndex } from '@pushfleet/store';
import { get, mark, remove, type AdminRoute } from '../http/admin-route';
import { invalidFields, Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { requireApp } from '../require-app';

const INDEX = '/apps/:id/indexes/:column';

/** The indexes of an app's columns: a push to a few devices by such a column does not walk the app. */
export function indexRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { columns } = ports.store.installations;
  const find = async (app: string, column: string): Promise<ColumnIndex> => {
    const found = (await columns.of(app)).find((index) => index.column === column);
    if (found) return found;
    throw new Problem('not-found', `the app ${app} has no index of the column ${JSON.stringify(column)}`);
  };
  return [
    get('/apps/:id/indexes', async ({ params }) => {
      const { id } = await requireApp(ports, params.id);
      return jsonAnswer(200, { results: (await columns.of(id)).map(indexView) });
    }),

    get(INDEX, async ({ params }) => {
      const { id } = await requireApp(ports, params.id);
      return jsonAnswer(200, indexView(await find(id, params.column)));
    }),

    mark(INDEX, async ({ params: { id, column }, changed }) => {
      const app = await requireApp(ports, id);
      const why = unindexable(column);
      if (why !== undefined) throw invalidFields([{ path: 'column', message: why }]);
      const answer = await columns.declare(app.id, column);
      if (answer === 'full') throw new Problem('conflict', TOO_MANY);
      if (answer === 'removing')
        throw new Problem('conflict', `the index of ${column} is being removed: make it again when it is gone`);
      changed({}, {});
      return jsonAnswer(200, indexView(await find(app.id, column)));
    }),

    remove(INDEX, async ({ params: { id, column } }) => {
      const app = await requireApp(ports, id);
      const found = await find(app.id, column);
      await columns.remove(app.id, column);
      return jsonAnswer(200, indexView({ ...found, status: 'removing' }));
    }),
  ];
}

const { value: most, unit } = LIMITS.columnIndexes;
const TOO_MANY = `the app has ${most} ${unit}, and no more are kept: remove one`;

const indexView = ({ column, status, declaredAt, doneParts, parts, checkedAt }: ColumnIndex) => ({
  column,
  status,
  declaredAt: new Date(declaredAt).toISOString(),
  ...(doneParts === undefined && status === 'ready' ? {} : { progress: { done: doneParts ?? 0, of: parts } }),
  ...(checkedAt === undefined ? {} : { checkedAt: new Date(checkedAt).toISOString() }),
});
