import { commonProfileFields, credentialSchema, hostNameSchema, secretSchema } from '@pushfleet/domain';
import { z } from 'zod';

const name = z.string().min(1).max(255);

export const profileSchema = z
  .strictObject({
    ...commonProfileFields,
    appId: credentialSchema(64).meta({
      description: 'App id of AppGallery Connect, which is also the OAuth client id.',
      'zh-CN': 'AppGallery Connect 中的 App ID，也是 OAuth 的 Client ID。',
    }),
    appSecret: secretSchema.meta({ description: 'Its secret.', 'zh-CN': '该 App ID 的密钥（Client Secret）。' }),
    intentHost: hostNameSchema.optional().meta({
      description: 'Host of the intent that a tap opens; without it, that of the app.',
      'zh-CN': '点击通知所打开 intent 的 host；不填则用应用设置中的。',
    }),
    category: z
      .string()
      .regex(/^[A-Z_]{1,64}$/, 'must be a category such as IM')
      .optional()
      .meta({
        description: 'Message class of pushes that name none, such as `IM`.',
        'zh-CN': '推送未指定时的消息分类，例如 `IM`。',
      }),
    badgeClass: name.optional().meta({
      description: 'Launcher activity, without which the vendor shows no badge.',
      'zh-CN': '应用入口 Activity；不填则厂商不显示角标。',
    }),
    receiptUser: name.optional().meta({
      description: 'User name with which the vendor signs receipts, as its console has it.',
      'zh-CN': '厂商回执签名所用的用户名，与其控制台中的一致。',
    }),
    receiptSecret: secretSchema.optional().meta({
      description: 'Key of that user name; the two are given together.',
      'zh-CN': '该用户名的密钥；两项须同时填写。',
    }),
    receiptId: name.optional().meta({
      description: 'Chooses one of the addresses for receipts that the vendor’s console has.',
      'zh-CN': '厂商控制台中有多个回执地址时，选用其中哪一个。',
    }),
  })
  .refine((profile) => (profile.receiptUser === undefined) === (profile.receiptSecret === undefined), {
    path: ['receiptSecret'],
    message: 'receiptUser and receiptSecret are given together',
  });

export type HmsProfile = z.infer<typeof profileSchema>;
