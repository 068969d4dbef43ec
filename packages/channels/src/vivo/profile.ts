import { commonProfileFields, credentialSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: z.union([credentialSchema(64), z.int().positive().transform(String)]).meta({
    description: 'Number that the vendor’s console shows; kept as text, written as it came.',
    'zh-CN': '厂商控制台中显示的数字；按原样以文本保存。',
  }),
  appKey: credentialSchema(64).meta({
    description: 'AppKey of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppKey。',
  }),
  appSecret: secretSchema.meta({
    description: 'AppSecret of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppSecret。',
  }),
  classification: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .meta({
      description: 'Class of pushes that name none: 0 operation, 1 system.',
      'zh-CN': '推送未指定时的消息类型：0 为运营消息，1 为系统消息。',
    }),
  category: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Second-level class of pushes that name none.', 'zh-CN': '推送未指定时的二级分类。' }),
  callbackId: z
    .union([z.string().regex(/^\d{1,32}$/, 'must be a number'), z.int().positive().transform(String)])
    .optional()
    .meta({
      description: 'Number under which the vendor’s console knows the address of receipts.',
      'zh-CN': '厂商控制台中回执地址的编号。',
    }),
});

export type VivoProfile = z.infer<typeof profileSchema>;
