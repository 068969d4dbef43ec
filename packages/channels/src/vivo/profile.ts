import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  /** The vendor issues numbers; kept as text, written as it came. */
  appId: z.union([credentialSchema(64), z.int().positive().transform(String)]),
  appKey: credentialSchema(64),
  appSecret: secretSchema,
  /** 0 operation, 1 system: of pushes that name none. */
  classification: z.union([z.literal(0), z.literal(1)]).optional(),
  /** The second-level class of pushes that name none. */
  category: z.string().min(1).max(64).optional(),
  /** The number under which the vendor's console knows the address of receipts. */
  callbackId: z
    .union([z.string().regex(/^\d{1,32}$/, 'must be a number'), z.int().positive().transform(String)])
    .optional(),
});

export type VivoProfile = z.infer<typeof profileSchema>;
