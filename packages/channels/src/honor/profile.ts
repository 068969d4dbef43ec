import { commonProfileFields, credentialSchema, hostNameSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).describe('Stands in the address of a send; the access token is had for the client id.'),
  appSecret: secretSchema.describe('Its secret.'),
  clientId: credentialSchema(128).describe('OAuth client id, as the vendor’s console has it.'),
  clientSecret: secretSchema.describe('Its secret.'),
  intentHost: hostNameSchema.optional().describe('Host of the intent that a tap opens; without it, that of the app.'),
  importance: z
    .enum(['LOW', 'NORMAL'])
    .optional()
    .describe('Message class of pushes that name none: `LOW` is marketing, `NORMAL` service and communication.'),
  badgeClass: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Launcher activity, without which the vendor shows no badge.'),
});

export type HonorProfile = z.infer<typeof profileSchema>;
