import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64),
  appSecret: secretSchema,
  /** The vendor's message class for pushes that name none. */
  category: z.string().min(1).max(64).optional(),
});

export type __Name__Profile = z.infer<typeof profileSchema>;
