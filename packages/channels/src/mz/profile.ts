import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64),
  appSecret: secretSchema,
  /** The vendor's message class for pushes that name none: 0 public, 1 private. */
  noticeMsgType: z.union([z.literal(0), z.literal(1)]).optional(),
  /** The token registered with the callback address on the vendor's console. */
  receiptToken: secretSchema.optional(),
});

export type MzProfile = z.infer<typeof profileSchema>;
