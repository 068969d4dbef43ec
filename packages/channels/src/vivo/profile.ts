import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: z
    .union([credentialSchema(64), z.int().positive().transform(String)])
    .describe('Number that the vendor’s console shows; kept as text, written as it came.'),
  appKey: credentialSchema(64).describe('AppKey of the vendor’s console.'),
  appSecret: secretSchema.describe('AppSecret of the vendor’s console.'),
  classification: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .describe('Class of pushes that name none: 0 operation, 1 system.'),
  category: z.string().min(1).max(64).optional().describe('Second-level class of pushes that name none.'),
  callbackId: z
    .union([z.string().regex(/^\d{1,32}$/, 'must be a number'), z.int().positive().transform(String)])
    .optional()
    .describe('Number under which the vendor’s console knows the address of receipts.'),
});

export type VivoProfile = z.infer<typeof profileSchema>;
