import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).meta({
    description: 'App id of the vendor’s console.',
    'zh-CN': '厂商控制台中的 App ID。',
  }),
  appSecret: secretSchema.meta({ description: 'Its secret.', 'zh-CN': '该 App ID 的密钥。' }),
  category: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Message class of pushes that name none.', 'zh-CN': '推送未指定时的消息分类。' }),
});

export type __Name__Profile = z.infer<typeof profileSchema>;
