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
  appId: credentialSchema(64).meta({
    description: 'AppID of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppID。',
  }),
  appSecret: secretSchema.meta({
    description: 'AppSecret of the vendor’s console.',
    'zh-CN': '厂商控制台中的 AppSecret。',
  }),
  channelId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Message class of pushes that name none.', 'zh-CN': '推送未指定时的消息分类。' }),
  tap: z.enum(['app', 'page', 'receiver']).optional().meta({
    description:
      'What a tap opens: the app (without this field too), the page with the intent of hms and honor, or the app’s own receiver, which the vendor has ended.',
    'zh-CN':
      '点击通知后打开什么：`app` 打开应用（不填时也是），`page` 打开与 hms、honor 相同 intent 的页面，`receiver` 交给应用自己的接收器，厂商已停止支持。',
  }),
  region: z.enum(REGION_NAMES).optional().meta({
    description: 'Where the vendor serves the app; without it, China.',
    'zh-CN': '厂商为该应用提供服务的地区；不填为中国。',
  }),
  passThrough: z.boolean().optional().meta({
    description: '`false`: silent messages are discarded, as the vendor hands them to few apps only.',
    'zh-CN': '`false`：丢弃透传消息，因为厂商只对少数应用开放。',
  }),
  templateId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Approved template of pushes that name none.', 'zh-CN': '推送未指定时使用的已审核模板。' }),
  templateParam: templateParamSchema.optional().meta({
    description: 'Values of its variables, as an object or as JSON.',
    'zh-CN': '模板变量的值，可以是对象或 JSON 文本。',
  }),
});

export type MiProfile = z.infer<typeof profileSchema>;
