import { isJsonObject, packageNameSchema, type Discarded, type Json } from '@pushfleet/domain';
import type { PushBatch, VendorSession } from './vendor-session';

/** How profiles and vendors spell it. */
const NAMES = new Set(['packageName', 'package', 'package_name', 'restricted_package_name']);

const TOO_LONG: Discarded = {
  kind: 'discarded',
  reason: 'package-name-too-long',
  vendorMessage: 'the package name has more than 128 bytes',
};

const NO_PATHS: ReadonlySet<string> = new Set();

/**
 * LeanCloud hybrid push guide, "Limits": no vendor takes a message with a longer package name. `appData` are paths of what the
 * vendor hands to the app: their keys are the sender's own.
 */
export function hasLongPackageName(given: unknown, appData = NO_PATHS): boolean {
  const isLong = (value: unknown, path: string): boolean => {
    if (Array.isArray(value)) return value.some((item, index) => isLong(item, `${path}[${index}]`));
    if (!isJsonObject(value as Json)) return false;
    return Object.entries(value as object).some(([key, inner]) => {
      const at = path === '' ? key : `${path}.${key}`;
      if (typeof inner === 'string') return NAMES.has(key) && !packageNameSchema.safeParse(inner).success;
      return !appData.has(at) && isLong(inner, at);
    });
  };
  return isLong(given, '');
}

const refuse = ({ registrationIds }: PushBatch): readonly Discarded[] => registrationIds.map(() => TOO_LONG);

/** The session of a profile whose own package name is too long. */
export const refusingSession: VendorSession = {
  preview: () => TOO_LONG,
  send: (batch) => Promise.resolve(refuse(batch)),
  verify: () => Promise.resolve({ ok: false, vendorMessage: TOO_LONG.vendorMessage }),
};

/** A session that refuses messages whose section names a package that is too long. */
export function withinPackageName(session: VendorSession, appData?: ReadonlySet<string>): VendorSession {
  const isRefused = ({ message }: Pick<PushBatch, 'message'>): boolean => hasLongPackageName(message.section, appData);
  return {
    ...session,
    preview: (batch) => (isRefused(batch) ? TOO_LONG : session.preview(batch)),
    send: (batch, signal) => (isRefused(batch) ? Promise.resolve(refuse(batch)) : session.send(batch, signal)),
  };
}
