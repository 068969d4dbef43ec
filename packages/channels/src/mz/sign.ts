import { hexDigest } from '@pushfleet/channel-kit';

/**
 * Meizu PushAPI README, 2025-04-09, "signature": MD5 over the parameters sorted by name, `name=value` without
 * separators and before any URL-encoding, followed by the app secret.
 */
export function sign(params: Readonly<Record<string, string>>, appSecret: string): string {
  const pairs = Object.keys(params).filter((name) => name !== 'sign');
  const base = pairs.sort().map((name) => `${name}=${params[name] ?? ''}`);
  return hexDigest('md5', base.join('') + appSecret);
}

/** The parameters with their signature, as a form or a query. */
export function signed(params: Readonly<Record<string, string>>, appSecret: string): string {
  return new URLSearchParams({ ...params, sign: sign(params, appSecret) }).toString();
}
