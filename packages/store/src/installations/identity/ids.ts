import type { JsonObject } from '@pushfleet/domain';
import type { LookUpKind } from '../keys';

/** What a device is found by, beside its objectId. */
export interface Id {
  readonly kind: LookUpKind;
  readonly value: string;
}

const KINDS: readonly LookUpKind[] = ['installationId', 'deviceToken', 'registrationId'];

export function idIn(doc: JsonObject | undefined, kind: LookUpKind): string | undefined {
  const value = doc?.[kind];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const idsIn = (doc: JsonObject | undefined): readonly Id[] =>
  KINDS.flatMap((kind) => {
    const value = idIn(doc, kind);
    return value === undefined ? [] : [{ kind, value }];
  });

/** The ids of a version that the one behind it does not have. */
export const idsWithout = (doc: JsonObject | undefined, next: JsonObject | undefined): readonly Id[] =>
  idsIn(doc).filter(({ kind, value }) => next?.[kind] !== value);
