import type { AppWithKeys } from '@pushfleet/domain';
import { Problem } from './http/problem';
import type { ConsolePorts } from './ports';
import { purgeText } from './purge-view';

/** Throws a 404 for an app that does not exist, and a 409 with the progress for one whose data is being deleted. */
export async function requireApp({ store }: Pick<ConsolePorts, 'store'>, id: string): Promise<AppWithKeys> {
  const app = await store.apps.get(id);
  if (app) return app;
  await refusePurged(store, id);
  return noApp(id);
}

export async function refusePurged({ purges }: Pick<ConsolePorts['store'], 'purges'>, id: string): Promise<void> {
  const purge = await purges.get(id);
  if (purge) throw new Problem('conflict', purgeText(id, purge));
}

export function noApp(id: string): never {
  throw new Problem('not-found', `there is no app ${JSON.stringify(id)}`);
}
