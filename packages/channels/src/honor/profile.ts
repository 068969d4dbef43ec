import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  /** Stands in the address of a send; the token is had for the client id. */
  appId: credentialSchema(64),
  appSecret: secretSchema,
  clientId: credentialSchema(128),
  clientSecret: secretSchema,
  /** Host of the intent that a tap opens; without it, the app's. */
  intentHost: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,253}$/, 'must be a host name')
    .optional(),
  /** The vendor's message class for pushes that name none: LOW is marketing, NORMAL service and communication. */
  importance: z.enum(['LOW', 'NORMAL']).optional(),
  /** The launcher activity, without which the vendor shows no badge. */
  badgeClass: z.string().min(1).max(255).optional(),
});

export type HonorProfile = z.infer<typeof profileSchema>;
