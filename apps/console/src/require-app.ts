import type { AppWithKeys } from '@pushfleet/domain';
import { Problem } from './http/problem';
import type { ConsolePorts } from './ports';

/** Throws a 404 for an app that does not exist. */
export async function requireApp({ store }: Pick<ConsolePorts, 'store'>, id: string): Promise<AppWithKeys> {
  return (await store.apps.get(id)) ?? noApp(id);
}

export function noApp(id: string): never {
  throw new Problem('not-found', `there is no app ${JSON.stringify(id)}`);
}
