import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).describe('App id of the vendor’s console.'),
  appSecret: secretSchema.describe('Its secret.'),
  category: z.string().min(1).max(64).optional().describe('Message class of pushes that name none.'),
});

export type __Name__Profile = z.infer<typeof profileSchema>;
