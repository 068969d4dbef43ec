import { commonProfileFields, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  /** The vendor issues numbers; kept as text, written as it came. */
  appId: z.union([z.string().min(1).max(64), z.int().positive().transform(String)]),
  appKey: z.string().min(1).max(64),
  appSecret: secretSchema,
  /** 0 operation, 1 system: of pushes that name none. */
  classification: z.union([z.literal(0), z.literal(1)]).optional(),
  /** The second-level class of pushes that name none. */
  category: z.string().min(1).max(64).optional(),
});

export type VivoProfile = z.infer<typeof profileSchema>;
