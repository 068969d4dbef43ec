import { commonProfileFields, packageNameSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: z.string().min(1).max(64),
  appSecret: secretSchema,
  packageName: packageNameSchema,
  /** The vendor's message class for pushes that name none. */
  channelId: z.string().min(1).max(64).optional(),
});

export type MiProfile = z.infer<typeof profileSchema>;
