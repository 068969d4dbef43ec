import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

const name = z.string().min(1).max(255);

export const profileSchema = z
  .strictObject({
    ...commonProfileFields,
    /** The app id, which is also the OAuth client id. */
    appId: credentialSchema(64),
    appSecret: secretSchema,
    /** Host of the intent that a tap opens; without it, the app's. */
    intentHost: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}$/, 'must be a host name')
      .optional(),
    /** The vendor's message class for pushes that name none. */
    category: z
      .string()
      .regex(/^[A-Z_]{1,64}$/, 'must be a category such as IM')
      .optional(),
    /** The launcher activity, without which the vendor shows no badge. */
    badgeClass: name.optional(),
    receiptUser: name.optional(),
    receiptSecret: secretSchema.optional(),
    /** Chooses one of the receipt addresses that are configured at the vendor. */
    receiptId: name.optional(),
  })
  .refine((profile) => (profile.receiptUser === undefined) === (profile.receiptSecret === undefined), {
    path: ['receiptSecret'],
    message: 'receiptUser and receiptSecret are given together',
  });

export type HmsProfile = z.infer<typeof profileSchema>;
