import { isJsonObject, receiptChoiceOf, type JsonObject } from '@pushfleet/domain';
import { z } from 'zod';
import type { VendorSession } from './vendor-session';

/** An object whose fields are known by name. */
export type ProfileSchema<Profile> = z.ZodType<Profile> & { readonly shape: Readonly<Record<string, z.ZodType>> };

/** The fields that the schema declares secret: those of `secretSchema`, given or not. */
export const secretFieldsOf = ({ shape }: Pick<ProfileSchema<unknown>, 'shape'>): readonly string[] =>
  Object.keys(shape).filter((name) => isSecret(shape[name]));

function isSecret(field: unknown): boolean {
  if (field instanceof z.ZodOptional) return isSecret(field.unwrap());
  return field instanceof z.ZodType && field.meta()?.['secret'] === true;
}

/** The profile with its fields under their own names; a field that is given under two names keeps both, to be refused. */
export function underOwnNames(aliases: Readonly<Record<string, string>>, profile: unknown): unknown {
  if (!isJsonObject(profile as JsonObject)) return profile;
  const given = profile as JsonObject;
  const own = (name: string): string => {
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return meant === undefined || Object.hasOwn(given, meant) ? name : meant;
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [own(name), value]));
}

/** `id` needs the field of the profile that holds it, and a vendor that knows such ids. */
export function checkReceiptChoice(profile: object, idField: string | undefined): void {
  if (receiptChoiceOf(profile) !== 'id') return;
  if (idField !== undefined && idField in profile) return;
  const message = idField === undefined ? 'must be off or url: the vendor knows no ids' : `id needs ${idField}`;
  throw new z.ZodRealError([{ code: 'custom', path: ['receipts'], message, input: 'id' }]);
}

/** A session whose messages carry an address for receipts only if the profile asks for one. */
export function withReceiptChoice(session: VendorSession, profile: object): VendorSession {
  const choice = receiptChoiceOf(profile);
  if (choice === undefined || choice === 'url') return session;
  return {
    ...session,
    preview: ({ receiptUrl: _, ...batch }) => session.preview(batch),
    send: ({ receiptUrl: _, ...batch }, signal) => session.send(batch, signal),
  };
}
