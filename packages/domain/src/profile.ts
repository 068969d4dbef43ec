import { z } from 'zod';

/** The profile of a device that names none. */
export const DEFAULT_PROFILE = '_default';

/** A letter, then letters, digits and underscores; or the reserved default name. */
export function isProfileName(name: string): boolean {
  return name === DEFAULT_PROFILE || /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name);
}

/** The profile an installation asks for; an empty or absent name means the default. */
export function profileOf(deviceProfile: unknown): string {
  return typeof deviceProfile === 'string' && deviceProfile !== '' ? deviceProfile : DEFAULT_PROFILE;
}

export const hostNameSchema = z.string().regex(/^[A-Za-z0-9.-]{1,253}$/, 'must be a host name');

/** Package names over 128 bytes cannot be addressed by any vendor. */
export const packageNameSchema = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= 128, 'must be at most 128 bytes of UTF-8');

const perSecondSchema = z.number().min(0).max(1_000_000).optional();

/** What the whole fleet may send with a profile. A limit of 0 is off; one that is absent is the channel's own. */
export const budgetSchema = z.strictObject({
  requestsPerSecond: perSecondSchema,
  devicesPerSecond: perSecondSchema,
  callsInFlight: z.int().min(0).max(100_000).optional(),
});

export type Budget = Readonly<z.infer<typeof budgetSchema>>;

/** The limits that hold: a profile's own before those of its channel; what is off is left out. */
export function budgetOf(channel: Budget, profile: unknown): Budget {
  const own = budgetSchema.safeParse(profile).data ?? {};
  return Object.fromEntries(Object.entries({ ...channel, ...own }).filter(([, limit]) => limit !== 0));
}

/**
 * Whether a call that the vendor may have taken is made again. `default`: with the vendor's own de-duplication, or once for
 * an addressed push; `never`; `once`: for every push.
 */
const repeatUnknownSchema = z.enum(['default', 'never', 'once']);

export type RepeatUnknown = z.infer<typeof repeatUnknownSchema>;

/**
 * Whether a vendor is asked for receipts, and how: `url` with the address in every message, `id` by the id under which the
 * vendor's console knows it. Without it the channel asks as it can.
 */
const receiptsSchema = z.enum(['off', 'url', 'id']);

export type ReceiptChoice = z.infer<typeof receiptsSchema>;

/** What a profile says of receipts. */
export const receiptChoiceOf = (profile: unknown): ReceiptChoice | undefined =>
  z.looseObject({ receipts: receiptsSchema.optional().catch(undefined) }).safeParse(profile).data?.receipts;

/** Fields that every channel's profile may carry; a channel spreads them into its own strict schema. */
export const commonProfileFields = {
  packageName: packageNameSchema
    .optional()
    .meta({ description: 'Package name of the app on the devices.', 'zh-CN': '应用在设备上的包名。' }),
  budget: budgetSchema.optional().meta({
    description:
      'What the whole fleet may send with this profile; a limit of 0 is off, one that is absent is the vendor’s own.',
    'zh-CN': '整个服务用此配置最多可以发送多少；0 为不限，不填则按厂商的限制。',
  }),
  repeatUnknown: repeatUnknownSchema.optional().meta({
    description:
      'Whether a call that the vendor may have taken is made again: `default` with the vendor’s own de-duplication, or once for an addressed push; `never`; `once` for every push.',
    'zh-CN':
      '不确定厂商是否已收下的请求要不要再发：`default` 在厂商能去重时再发，指定设备的推送再发一次；`never` 不再发；`once` 每条推送都再发一次。',
  }),
  receipts: receiptsSchema.optional().meta({
    description:
      'How the vendor is asked for receipts: `url` with the address in every message, `id` by the id under which its console knows it, `off` not at all. Without it as the channel can.',
    'zh-CN':
      '如何向厂商要求回执：`url` 在每条消息中带地址，`id` 用厂商控制台中的回执编号，`off` 不要求；不填则按该通道的能力。',
  }),
};

/** White space, and the marks of width and direction that pages and chats put around what is copied from them. */
const SURROUNDING = /[\s\p{Cf}]/u;

/** Character by character: a pattern for the end would look at each run of them again and again. */
function withoutSurroundings(text: string): string {
  const characters = [...text];
  const isOwn = (character: string): boolean => !SURROUNDING.test(character);
  return characters.slice(characters.findIndex(isOwn), characters.findLastIndex(isOwn) + 1).join('');
}

/** What a file, a shell or a page adds to a pasted value is none of it; what no HTTP header can carry is refused. */
const pastedSchema = z
  .string()
  .overwrite(withoutSurroundings)
  .min(1)
  .regex(
    /^[\x20-\x7e\xa0-\xac\xae-\xff]*$/,
    'must not contain line breaks, invisible characters or any beyond Latin-1',
  );

/** An id or a key that a vendor's console issued. */
export const credentialSchema = (max: number) => pastedSchema.max(max);

/** What a stored profile says of calls that may have been taken. */
export const repeatUnknownOf = (value: unknown): RepeatUnknown => repeatUnknownSchema.catch('default').parse(value);

/** A credential: kept encrypted, masked on read, never logged. */
export const secretSchema = credentialSchema(1024).meta({ secret: true });
