import { compileWhere, type JsonObject } from '@pushfleet/domain';
import { answered } from './find';
import { toInstallation, type Reader } from './read';
import type { StoredInstallation } from './stored';

/** Whether a version may be replaced or removed; there may be none yet. */
export type Condition = (old: StoredInstallation | undefined) => boolean;

export async function conditionOf(reader: Reader, app: string, where: JsonObject): Promise<Condition> {
  const matches = compileWhere(await answered(reader, { app, where }));
  return (old) => old !== undefined && matches(toInstallation(old));
}
