import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).meta({
    description: 'AppId of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppId。',
  }),
  appSecret: secretSchema.meta({
    description: 'AppSecret of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppSecret。',
  }),
  noticeMsgType: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .meta({
      description: 'Message class of pushes that name none: 0 public, 1 private.',
      'zh-CN': '推送未指定时的消息分类：0 为公信，1 为私信。',
    }),
  receiptToken: secretSchema.optional().meta({
    description: 'Token that the vendor’s console has beside the address for receipts.',
    'zh-CN': '厂商控制台中回执地址旁的 Token。',
  }),
});

export type MzProfile = z.infer<typeof profileSchema>;
