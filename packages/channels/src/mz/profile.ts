import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).describe('AppId of the vendor’s console.'),
  appSecret: secretSchema.describe('AppSecret of the vendor’s console.'),
  noticeMsgType: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .describe('Message class of pushes that name none: 0 public, 1 private.'),
  receiptToken: secretSchema
    .optional()
    .describe('Token that the vendor’s console has beside the address for receipts.'),
});

export type MzProfile = z.infer<typeof profileSchema>;
