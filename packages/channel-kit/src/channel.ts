import {
  plainWords,
  type Budget,
  type ChannelMessage,
  type JsonObject,
  type PushWarning,
  type Receipt,
} from '@pushfleet/domain';
import { hasLongPackageName, refusingSession, withinPackageName } from './package-name';
import {
  checkReceiptChoice,
  secretFieldsOf,
  underOwnNames,
  withReceiptChoice,
  type ProfileSchema,
} from './profile-fields';
import { describeProfileFields, type InEachLanguage, type ProfileField } from './profile-field';
import type { TokenCache } from './token-cache';
import type { VendorHttp } from './vendor-http';
import type { VendorSession } from './vendor-session';

/** What a channel can do. Shared code asks these, never which vendor it is. */
export interface Capabilities {
  /** Messages handed to the app without being shown. */
  readonly passThrough: boolean;
  /** Devices in one vendor call. */
  readonly maxBatch: number;
  /** Bytes of the vendor's message, addresses not counted; absent where the vendor documents no limit. */
  readonly maxPayloadBytes?: number;
  /** In words, where the limit is of something else than the bytes of the whole. */
  readonly payloadLimit?: string;
  readonly receipts: boolean;
  /** Bytes of an address for receipts in a message; absent where messages carry none or the vendor documents no limit. */
  readonly maxReceiptUrlBytes?: number;
  /** Which calls the vendor takes once however often they are made: the same `batchId` for the same devices. */
  readonly deduplicates: 'every-call' | 'single-device' | 'no-call';
}

export interface ChannelDeps {
  readonly http: VendorHttp;
  readonly tokens: TokenCache;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Origin without path for each name of `endpoints`. */
  readonly origins: Readonly<Record<string, string>>;
}

/** The origins of a vendor by the names of its endpoints: those that the operator set, and production's otherwise. */
export const originsOf = <Name extends string>(
  endpoints: Readonly<Record<Name, string>>,
  { origins }: Pick<ChannelDeps, 'origins'>,
): Readonly<Record<Name, string>> => ({ ...endpoints, ...origins });

/** A vendor callback as it arrived. */
export interface RawReceipt {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** What to answer a vendor's callback and what it said. */
export interface ReceiptAnswer {
  readonly receipts: readonly Receipt[];
  readonly reply: { readonly status: number; readonly contentType: string; readonly body: string };
  /** What the vendor signed, when that is not the body: it is good near its time, and for one body. */
  readonly signature?: { readonly text: string; readonly at: number };
}

export interface ChannelDefinition<Profile> {
  /** The value of an installation's `vendor` field; in lower case, it is the channel's name and that of its folder. */
  readonly vendor: string;
  /** What people call it, in the languages of the console. */
  readonly names: InEachLanguage;
  /** The field of the push record that counts what this vendor accepted, where it is not `NAMESuccesses`. */
  readonly successesField?: string;
  readonly capabilities: Capabilities;
  /** The limits that the vendor publishes, for the smallest app; a profile may have others. */
  readonly budget: Budget;
  /** Environment name of each vendor origin and its production default, without path. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** A field of `secretSchema` is masked when a profile is read. */
  readonly profileSchema: ProfileSchema<Profile>;
  /** Other names under which a profile may give a field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The field of the profile that holds the id of an address for receipts on the vendor's console. */
  readonly receiptIdField?: string;
  /** Checks and normalises a sender's section; throws `SectionProblem` naming the field. */
  parseSection(section: JsonObject): JsonObject;
  /** Paths in a section, such as `message.data`, of what the vendor hands to the app: any key may stand there. */
  readonly appData?: ReadonlySet<string>;
  /** What in a message will not do what it looks like with this profile, told to the sender; pure. */
  warningsFor?(message: ChannelMessage, profile: Profile): readonly PushWarning[];
  open(profile: Profile, deps: ChannelDeps): VendorSession;
  /** Present exactly when `capabilities.receipts`. Throws `ReceiptRefused` when the callback does not authenticate. */
  parseReceipt?(raw: RawReceipt, profile: Profile): ReceiptAnswer;
}

/** A channel whose profile type is known only inside its folder: profiles are parsed at the door. */
export interface VendorChannel extends Omit<
  ChannelDefinition<unknown>,
  'profileSchema' | 'open' | 'parseReceipt' | 'warningsFor'
> {
  readonly name: string;
  readonly successesField: string;
  /** Names of the profile's fields that its schema declares secret. */
  readonly secretFields: readonly string[];
  /** What a form has to know of them. */
  readonly profileFields: readonly ProfileField[];
  /** Parses a stored or submitted profile; throws zod's error with every violation. */
  parseProfile(input: unknown): JsonObject;
  warningsFor(message: ChannelMessage, profile: unknown): readonly PushWarning[];
  open(profile: unknown, deps: ChannelDeps): VendorSession;
  parseReceipt?(raw: RawReceipt, profile: unknown): ReceiptAnswer;
}

export function defineChannel<Profile extends object>(definition: ChannelDefinition<Profile>): VendorChannel {
  const { profileSchema, parseReceipt, warningsFor, ...rest } = definition;
  const parse = (input: unknown): Profile =>
    profileSchema.parse(underOwnNames(definition.aliases ?? {}, input), { error: plainWords });
  const name = definition.vendor.toLowerCase();
  return {
    ...rest,
    name,
    successesField: definition.successesField ?? `${name}Successes`,
    secretFields: secretFieldsOf(profileSchema),
    profileFields: describeProfileFields(profileSchema),
    parseProfile(input) {
      const profile = parse(input);
      checkReceiptChoice(profile, definition.receiptIdField);
      return profile as unknown as JsonObject;
    },
    warningsFor: (message, profile) => warningsFor?.(message, parse(profile)) ?? [],
    open(given, deps) {
      if (hasLongPackageName(given)) return refusingSession;
      const profile = parse(given);
      return withReceiptChoice(withinPackageName(definition.open(profile, deps), definition.appData), profile);
    },
    ...(parseReceipt ? { parseReceipt: (raw: RawReceipt, profile: unknown) => parseReceipt(raw, parse(profile)) } : {}),
  };
}

/** A vendor callback did not carry the credential agreed with the vendor. */
export class ReceiptRefused extends Error {
  override readonly name = 'ReceiptRefused';
}
