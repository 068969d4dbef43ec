/**
 * The hosts that builds of the TapSDK sign (TapTap developer documents, service.md of v2, taptap-oauth of v3 and v4), for
 * deployments that these names are led to.
 */
export const HOST_PRESETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['taptap-v2', ['https://tds-tapsdk.cn.tapapis.com']],
  [
    'taptap-v2-global',
    [
      ...['0', '1', '2', '-b0', '-b1'].map((name) => `https://tds-tapsdk${name}.intl.tapapis.com`),
      'https://tds-account.intl.tapapis.com',
    ],
  ],
  ['taptap-v3', ['https://openapi.taptap.com']],
  ['taptap-v3-global', ['https://openapi.tap.io']],
  ['taptap-v4', ['https://open.tapapis.cn']],
  ['taptap-v4-global', ['https://open.tapapis.com']],
]);

/** Each name of a preset in a list separated by commas becomes what it stands for. */
export const expandPresets = (list: string): string =>
  list
    .split(',')
    .map((entry) => HOST_PRESETS.get(entry.trim())?.join(',') ?? entry)
    .join(',');
