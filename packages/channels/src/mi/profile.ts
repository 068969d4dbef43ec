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
  appId: credentialSchema(64),
  appSecret: secretSchema,
  /** The vendor's message class for pushes that name none. */
  channelId: z.string().min(1).max(64).optional(),
  /**
   * What a tap opens: the app, the page with the intent of hms and honor, or the app's own receiver, which the vendor has
   * ended. Without it the app.
   */
  tap: z.enum(['app', 'page', 'receiver']).optional(),
  /** Where the vendor serves the app; without it, China. */
  region: z.enum(REGION_NAMES).optional(),
  /** `false`: silent messages are discarded, as the vendor hands them to few apps only. */
  passThrough: z.boolean().optional(),
  /** The approved template, and its variables, of pushes that name none. */
  templateId: z.string().min(1).max(64).optional(),
  templateParam: templateParamSchema.optional(),
});

export type MiProfile = z.infer<typeof profileSchema>;
