import { isJsonObject, packageNameSchema, type Discarded, type Json } from '@pushfleet/domain';
import type { PushBatch, VendorSession } from './vendor-session';

/** How profiles and vendors spell it. */
const NAMES = new Set(['packageName', 'package', 'package_name', 'restricted_package_name']);

const TOO_LONG: Discarded = {
  kind: 'discarded',
  reason: 'package-name-too-long',
  vendorMessage: 'the package name has more than 128 bytes',
};

/** LeanCloud hybrid push guide, "Limits": no vendor takes a message with a longer package name. */
export function hasLongPackageName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLongPackageName);
  if (!isJsonObject(value as Json)) return false;
  return Object.entries(value as object).some(([key, inner]) =>
    typeof inner === 'string'
      ? NAMES.has(key) && !packageNameSchema.safeParse(inner).success
      : hasLongPackageName(inner),
  );
}

const refuse = ({ registrationIds }: PushBatch): readonly Discarded[] => registrationIds.map(() => TOO_LONG);

/** The session of a profile whose own package name is too long. */
export const refusingSession: VendorSession = {
  preview: () => TOO_LONG,
  send: (batch) => Promise.resolve(refuse(batch)),
  verify: () => Promise.resolve({ ok: false, vendorMessage: TOO_LONG.vendorMessage }),
};

/** A session that refuses messages whose section names a package that is too long. */
export function withinPackageName(session: VendorSession): VendorSession {
  return {
    ...session,
    preview: (batch) => (hasLongPackageName(batch.message.section) ? TOO_LONG : session.preview(batch)),
    send: (batch, signal) =>
      hasLongPackageName(batch.message.section) ? Promise.resolve(refuse(batch)) : session.send(batch, signal),
  };
}
