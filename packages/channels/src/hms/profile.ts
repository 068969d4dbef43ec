import { commonProfileFields, credentialSchema, hostNameSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

const name = z.string().min(1).max(255);

export const profileSchema = z
  .strictObject({
    ...commonProfileFields,
    appId: credentialSchema(64).describe('App id of AppGallery Connect, which is also the OAuth client id.'),
    appSecret: secretSchema.describe('Its secret.'),
    intentHost: hostNameSchema.optional().describe('Host of the intent that a tap opens; without it, that of the app.'),
    category: z
      .string()
      .regex(/^[A-Z_]{1,64}$/, 'must be a category such as IM')
      .optional()
      .describe('Message class of pushes that name none, such as `IM`.'),
    badgeClass: name.optional().describe('Launcher activity, without which the vendor shows no badge.'),
    receiptUser: name.optional().describe('User name with which the vendor signs receipts, as its console has it.'),
    receiptSecret: secretSchema.optional().describe('Key of that user name; the two are given together.'),
    receiptId: name.optional().describe('Chooses one of the addresses for receipts that the vendor’s console has.'),
  })
  .refine((profile) => (profile.receiptUser === undefined) === (profile.receiptSecret === undefined), {
    path: ['receiptSecret'],
    message: 'receiptUser and receiptSecret are given together',
  });

export type HmsProfile = z.infer<typeof profileSchema>;
