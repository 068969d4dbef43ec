import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appKey: credentialSchema(64).describe('AppKey of the vendor’s console.'),
  masterSecret: secretSchema.describe('MasterSecret of the vendor’s console; the AppSecret belongs to the client.'),
  channelId: z.string().min(1).max(64).optional().describe('Notification channel of pushes that name none.'),
  category: z.string().min(1).max(64).optional().describe('Message class of pushes that name none.'),
});

export type OppoProfile = z.infer<typeof profileSchema>;
