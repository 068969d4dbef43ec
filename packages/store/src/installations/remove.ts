import type { JsonObject } from '@pushfleet/domain';
import { conditionOf, type Condition } from './condition';
import { clearLookUps } from './look-ups';
import { readInstallation } from './read';
import { MAX_RACES, replaceInstallation, type Writer } from './write';

/** False when there was nothing to remove. */
export function removeInstallation(writer: Writer, app: string, objectId: string): Promise<boolean> {
  return removeWhile(writer, { app, objectId, condition: () => true });
}

/** False when there was nothing to remove, or the condition does not hold for it. */
export async function removeInstallationIf(
  writer: Writer,
  app: string,
  { objectId, where }: { objectId: string; where: JsonObject },
): Promise<boolean> {
  return removeWhile(writer, { app, objectId, condition: await conditionOf(writer, app, where) });
}

export interface Removal {
  readonly app: string;
  readonly objectId: string;
  readonly condition: Condition;
}

export async function removeWhile(writer: Writer, { app, objectId, condition }: Removal): Promise<boolean> {
  let isRemoved = false;
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, objectId);
    // Looked at again after a removal: a save may have brought the record back while its look-ups went.
    if (!read || !condition(read.stored)) return isRemoved;
    const change = { app, objectId, oldText: read.text, old: read.stored, next: undefined };
    if (!(await replaceInstallation(writer, change))) continue;
    await clearLookUps(writer, app, { stored: read.stored });
    isRemoved = true;
  }
  return isRemoved;
}
