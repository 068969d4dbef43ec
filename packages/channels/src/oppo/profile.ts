import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appKey: credentialSchema(64).meta({
    description: 'AppKey of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppKey。',
  }),
  masterSecret: secretSchema.meta({
    description: 'MasterSecret of the vendor’s console; the AppSecret belongs to the client.',
    'zh-CN': '厂商控制台中的 MasterSecret；AppSecret 是给客户端用的。',
  }),
  channelId: z.string().min(1).max(64).optional().meta({
    description: 'Notification channel of pushes that name none.',
    'zh-CN': '推送未指定时的通知通道（channel）。',
  }),
  category: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Message class of pushes that name none.', 'zh-CN': '推送未指定时的消息分类。' }),
});

export type OppoProfile = z.infer<typeof profileSchema>;
