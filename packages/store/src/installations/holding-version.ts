import { setTimeout as delay } from 'node:timers/promises';
import type { LookUpKind } from '../keys';
import { versionOf, type Version } from './imported';
import { readInstallation } from './read';
import type { Writer } from './write';

interface Holding {
  readonly objectId: string;
  readonly kind: LookUpKind;
  readonly id: string;
}

/** Somebody who took a look-up a moment ago writes his record within this time. */
export const SETTLE_MS = 20;

/** The version of an installation that has an id, or is just getting it. */
export async function holdingVersion(writer: Writer, app: string, holding: Holding): Promise<Version | undefined> {
  const version = await holdingVersionNow(writer, app, holding);
  if (version) return version;
  await delay(SETTLE_MS);
  return holdingVersionNow(writer, app, holding);
}

/** The version of an installation that has an id. */
export async function holdingVersionNow(
  writer: Writer,
  app: string,
  { objectId, kind, id }: Holding,
): Promise<Version | undefined> {
  const read = await readInstallation(writer, app, objectId);
  return read?.stored.doc[kind] === id ? versionOf(read.stored) : undefined;
}
