import { commonProfileFields, credentialSchema, secretSchema, type Json } from '@pushfleet/domain';
import { z } from 'zod';
import { REGION_NAMES } from './endpoints';
import { templateParamOf } from './template';

const templateParamSchema = z.union([z.string(), z.record(z.string(), z.unknown())]).transform((value, context) => {
  const read = templateParamOf(value as Json);
  if ('text' in read) return read.text;
  context.addIssue({ code: 'custom', message: read.problem });
  return z.NEVER;
});

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).describe('AppID of the vendor’s console.'),
  appSecret: secretSchema.describe('AppSecret of the vendor’s console.'),
  channelId: z.string().min(1).max(64).optional().describe('Message class of pushes that name none.'),
  tap: z
    .enum(['app', 'page', 'receiver'])
    .optional()
    .describe(
      'What a tap opens: the app (without this field too), the page with the intent of hms and honor, or the app’s own receiver, which the vendor has ended.',
    ),
  region: z.enum(REGION_NAMES).optional().describe('Where the vendor serves the app; without it, China.'),
  passThrough: z
    .boolean()
    .optional()
    .describe('`false`: silent messages are discarded, as the vendor hands them to few apps only.'),
  templateId: z.string().min(1).max(64).optional().describe('Approved template of pushes that name none.'),
  templateParam: templateParamSchema.optional().describe('Values of its variables, as an object or as JSON.'),
});

export type MiProfile = z.infer<typeof profileSchema>;
