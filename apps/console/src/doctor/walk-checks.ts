import type { Store } from '@pushfleet/store';
import { ok, warning, type Check } from './check';

const MAX_APPS = 20;
const CHECK = 'walked-apps';

/** Apps of which a push of the last day read every installation, where an index might have found a few. */
export async function walkChecks({
  apps,
  installations: { columns },
}: Pick<Store, 'apps' | 'installations'>): Promise<readonly Check[]> {
  const [listed, indexed] = await Promise.all([apps.list(), columns.all()]);
  const found = await Promise.all(
    listed.map(async ({ id }) => {
      const known = new Set(indexed.get(id)?.map(({ column }) => column));
      const walks = await columns.walks(id);
      const missing = walks.filter((walk) => !walk.columns.every((column) => known.has(column)));
      const [last] = missing.sort((a, b) => b.at - a.at);
      return last ? [walked(id, last)] : [];
    }),
  );
  const checks = found.flat().slice(0, MAX_APPS);
  const fine = 'no push of the last day wanted an index that is not there';
  return checks.length > 0 ? checks : [ok({ check: CHECK, subject: '' }, fine)];
}

type Walk = Awaited<ReturnType<Store['installations']['columns']['walks']>>[number];

function walked(app: string, { columns, devices, at }: Walk): Check {
  const when = new Date(at).toISOString();
  const finding = `a push of ${when} read all ${devices} installations, because ${columns.join(', ')} is not indexed`;
  const commands = columns.map((column) => `pushfleet indexes add ${app} ${column}`).join('; ');
  const advice = `unless such pushes are for many devices: ${commands}`;
  return { check: CHECK, subject: app, ...warning(finding, advice) };
}
