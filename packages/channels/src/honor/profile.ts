import { commonProfileFields, credentialSchema, hostNameSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

export const profileSchema = z.strictObject({
  ...commonProfileFields,
  appId: credentialSchema(64).meta({
    description: 'Stands in the address of a send; the access token is had for the client id.',
    'zh-CN': '发送地址中的 App ID；访问令牌用 Client ID 获取。',
  }),
  appSecret: secretSchema.meta({ description: 'Its secret.', 'zh-CN': '该 App ID 的密钥（App Secret）。' }),
  clientId: credentialSchema(128).meta({
    description: 'OAuth client id, as the vendor’s console has it.',
    'zh-CN': '厂商控制台中的 OAuth Client ID。',
  }),
  clientSecret: secretSchema.meta({ description: 'Its secret.', 'zh-CN': '该 Client ID 的密钥（Client Secret）。' }),
  intentHost: hostNameSchema.optional().meta({
    description: 'Host of the intent that a tap opens; without it, that of the app.',
    'zh-CN': '点击通知所打开 intent 的 host；不填则用应用设置中的。',
  }),
  importance: z.enum(['LOW', 'NORMAL']).optional().meta({
    description: 'Message class of pushes that name none: `LOW` is marketing, `NORMAL` service and communication.',
    'zh-CN': '推送未指定时的消息分类：`LOW` 为资讯营销类，`NORMAL` 为服务与通讯类。',
  }),
  badgeClass: z.string().min(1).max(255).optional().meta({
    description: 'Launcher activity, without which the vendor shows no badge.',
    'zh-CN': '应用入口 Activity；不填则厂商不显示角标。',
  }),
});

export type HonorProfile = z.infer<typeof profileSchema>;
