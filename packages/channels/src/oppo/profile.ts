import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appKey: credentialSchema(64),
  /** Not the AppSecret, which belongs to the client. */
  masterSecret: secretSchema,
  /** The notification channel of pushes that name none. */
  channelId: z.string().min(1).max(64).optional(),
  /** The message class of pushes that name none. */
  category: z.string().min(1).max(64).optional(),
});

export type OppoProfile = z.infer<typeof profileSchema>;
