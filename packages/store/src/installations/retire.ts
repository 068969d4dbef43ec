import { amendInstallation } from './amend';
import { lookUp } from './read';
import type { Writer } from './write';

/**
 * Takes a dead registration out of the audience, keeping the installation; does nothing if the device has a new one.
 * A registration that stands for its own objectId was pushed to by name: the installation behind it is looked up.
 */
export async function retireRegistration(
  writer: Writer,
  app: string,
  { objectId: name, registrationId }: { objectId: string; registrationId: string },
): Promise<boolean> {
  if (registrationId === '') return false;
  const objectId = name === registrationId ? await lookUp(writer, app, ['registrationId', registrationId]) : name;
  if (objectId === undefined) return false;
  const retired = await amendInstallation(writer, {
    app,
    objectId,
    change: (now) =>
      now.isRetired || now.doc['registrationId'] !== registrationId ? undefined : { ...now, isRetired: true },
  });
  return retired !== undefined;
}
