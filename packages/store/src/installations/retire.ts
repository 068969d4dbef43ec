import { isAtAddress, profileOf } from '@pushfleet/domain';
import { changeInstallation } from './change';
import { lookUp } from './read';
import { channelOf } from './retired';
import { followingUpdate, type IndexedInstallation, type StoredInstallation } from './stored';
import type { Writer } from './write';

/** Different days on which a vendor must have used words that may pass before they are believed. */
const STRIKES_TO_RETIRE = 5;

export interface DeadRegistration {
  readonly objectId: string;
  readonly registrationId: string;
  /** Whose vendor called it dead, and to which profile, if that is known; absent: an operator did. */
  readonly from?: { readonly channel: string; readonly profile?: string | undefined };
}

/**
 * Takes a dead registration out of the audience, keeping the installation; does nothing if the device has a new one, or is not with the
 * vendor and profile that called it dead: others know none of its registrations. A registration that stands for its own objectId was
 * pushed to by name: the installation behind it is looked up.
 */
export function retireRegistration(writer: Writer, app: string, dead: DeadRegistration): Promise<boolean> {
  return amendRegistration(writer, app, { dead, change: (now) => ({ ...now, isRetired: true }) });
}

/** Notes that a vendor called a registration dead in words that may pass; several days of it retire it. Answers whether. */
export async function strikeRegistration(
  writer: Writer,
  app: string,
  { now: at, ...dead }: DeadRegistration & { readonly now: number },
): Promise<boolean> {
  const last = new Date(at).toISOString().slice(0, 10);
  let isRetired = false;
  const change = ({ struck, ...now }: IndexedInstallation): StoredInstallation | undefined => {
    const days = (struck?.days ?? 0) + 1;
    isRetired = days >= STRIKES_TO_RETIRE;
    return struck?.last === last ? undefined : { ...now, struck: { days, last }, isRetired };
  };
  return (await amendRegistration(writer, app, { dead, change })) && isRetired;
}

async function amendRegistration(
  writer: Writer,
  app: string,
  { dead, change }: { dead: DeadRegistration; change(now: IndexedInstallation): StoredInstallation | undefined },
): Promise<boolean> {
  const { registrationId, from } = dead;
  if (registrationId === '') return false;
  const objectId = isAtAddress(dead) ? await lookUp(writer, app, ['registrationId', registrationId]) : dead.objectId;
  if (objectId === undefined) return false;
  return changeInstallation(writer, app, {
    objectId,
    next(stored) {
      if (stored.isRetired || stored.doc['registrationId'] !== registrationId) return undefined;
      if (from && !isWith(from, stored, writer.vendors)) return undefined;
      const changed = change(stored);
      return changed && { ...changed, doc: { ...changed.doc, updatedAt: followingUpdate(stored) } };
    },
    // A process that dies in between leaves a note too many, which its readers tell apart, and never one too few.
    async announce(stored, { isRetired }) {
      if (isRetired) await writer.noteRetired({ app, objectId, channel: channelOf(stored, writer.vendors) });
    },
  });
}

/** Not by its bucket: while its profile is new, the device may still stand in the one of devices without a profile. */
function isWith(
  { channel, profile }: NonNullable<DeadRegistration['from']>,
  { doc }: StoredInstallation,
  vendors: Writer['vendors'],
): boolean {
  if (vendors.get(String(doc['vendor'])) !== channel) return false;
  return profile === undefined || profile === profileOf(doc['deviceProfile']);
}
