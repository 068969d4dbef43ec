/** Mainland China. */
export const ENDPOINTS = { MI_PUSH_URL: 'https://api.xmpush.xiaomi.com' } as const;

/** Where the vendor serves an app (Xiaomi push, pId=1695 and 1696): Europe, India, Russia and Singapore beside China. */
export const REGIONS = {
  cn: ENDPOINTS.MI_PUSH_URL,
  fr: 'https://fr-api.xmpush.global.xiaomi.com',
  idmb: 'https://idmb-api.xmpush.global.xiaomi.com',
  ru: 'https://ru-api.xmpush.global.xiaomi.com',
  sgp: 'https://sgp-api.xmpush.global.xiaomi.com',
} as const;

export type Region = keyof typeof REGIONS;

export const REGION_NAMES = Object.keys(REGIONS) as readonly Region[];

/** An origin that the operator set, such as a relay, takes the calls of every region. */
export function originOf(origins: Readonly<Record<string, string>>, region: Region = 'cn'): string {
  const configured = origins['MI_PUSH_URL'] ?? ENDPOINTS.MI_PUSH_URL;
  return configured === ENDPOINTS.MI_PUSH_URL ? REGIONS[region] : configured;
}
