import type { Installation, RouteBucket } from '@pushfleet/domain';
import { readAddressed } from './find';
import { readInstallation, toInstallation, type Reader } from './read';
import type { RegistrationMove } from './stored';

/** One installation as an operator sees it. */
export interface InspectedInstallation {
  readonly installation: Installation;
  /** Empty when it is no target. */
  readonly bucket: RouteBucket;
  readonly isRetired: boolean;
  /** The app key moved a registrationId here from another installation, and from here to another, last. */
  readonly registrationTakenFrom?: RegistrationMove;
  readonly registrationLostTo?: RegistrationMove;
}

/** By objectId, or by installationId, which its device chose: that may be the objectId of another. */
export async function inspectInstallation(
  reader: Reader,
  app: string,
  id: string,
): Promise<InspectedInstallation | undefined> {
  const byName = { field: 'installationId', values: [id] } as const;
  const stored = (await readInstallation(reader, app, id)) ?? (await readAddressed(reader, app, byName))[0];
  if (!stored) return undefined;
  const { bucket, isRetired, took, lost } = stored;
  return {
    installation: toInstallation(stored),
    bucket,
    isRetired,
    ...(took ? { registrationTakenFrom: took } : {}),
    ...(lost ? { registrationLostTo: lost } : {}),
  };
}
