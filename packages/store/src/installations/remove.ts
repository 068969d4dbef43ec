import type { JsonObject } from '@pushfleet/domain';
import { conditionOf, type Condition } from './find';
import { RACED } from './races';
import { readVersion } from './read';
import { replaceInstallation, type Writer } from './write';

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

export function removeWhile(writer: Writer, { app, objectId, condition }: Removal): Promise<boolean> {
  return writer.untilWritten({ app, record: objectId, doing: 'to be removed' }, async () => {
    const version = await readVersion(writer, app, objectId);
    // One that is damaged is there, too.
    if (version.text === '' || !condition(version.stored)) return false;
    const isRemoved = await replaceInstallation(writer, { app, version, next: undefined, isForGood: true });
    return isRemoved ? true : RACED;
  });
}
