import { InvalidInput, type JsonObject } from '@pushfleet/domain';
import type { StoredInstallation } from '../stored';

/** An installation as an export holds it: its own createdAt and updatedAt in the document. */
export interface ImportedInstallation {
  readonly objectId: string;
  readonly doc: JsonObject;
}

export interface ImportTimes {
  /** What a document without dates is stamped with, in milliseconds since the epoch. */
  readonly now?: number;
  /** What was not updated since then is stored, but is no target. */
  readonly staleBefore?: number;
}

/** One that may be stored, with the version that decides between it and what is there. */
export interface Candidate {
  readonly stored: StoredInstallation;
  readonly version: Version;
}

/** The newer of two is kept, whatever the order in which they come. */
export interface Version {
  readonly updatedAt: number;
  readonly objectId: string;
}

export const isNewer = (one: Version, other: Version): boolean =>
  one.updatedAt === other.updatedAt ? one.objectId > other.objectId : one.updatedAt > other.updatedAt;

export const versionOf = ({ objectId, doc }: Pick<StoredInstallation, 'objectId' | 'doc'>): Version => ({
  objectId,
  updatedAt: Date.parse(String(doc['updatedAt'])),
});

/** Whether an index can hold it: letters, digits, `-` and `_`. */
export const isObjectId = (objectId: string): boolean => /^[\w-]{1,64}$/.test(objectId);

/** A document without dates counts as older than anything, so that importing it again changes nothing. */
export function candidateOf(row: ImportedInstallation, { now = Date.now(), staleBefore }: ImportTimes): Candidate {
  const { objectId } = row;
  if (!isObjectId(objectId)) throw new InvalidInput('wrong-type', 'objectId: at most 64 letters, digits, - and _');
  const doc = datedDoc(row.doc, now);
  const updatedAt = Date.parse(String(doc['updatedAt']));
  const isStale = staleBefore !== undefined && updatedAt < staleBefore && doc['valid'] !== false;
  const isDated = (row.doc['updatedAt'] ?? row.doc['createdAt']) !== undefined;
  return {
    stored: isStale
      ? { objectId, doc, isRetired: false, isStale, importedAt: now }
      : { objectId, doc, isRetired: false },
    version: { objectId, updatedAt: isDated ? updatedAt : -Infinity },
  };
}

function datedDoc(doc: JsonObject, now: number): JsonObject {
  if (doc['createdAt'] !== undefined && doc['updatedAt'] !== undefined) return doc;
  const updatedAt = doc['updatedAt'] ?? doc['createdAt'] ?? new Date(now).toISOString();
  return { ...doc, createdAt: doc['createdAt'] ?? updatedAt, updatedAt };
}
