import type { listsEn } from './lists-en';

export const listsZh: Readonly<Record<keyof typeof listsEn, string>> = {
  search: '搜索',
  searchPushes: '文本或推送 ID',
  anyChannel: '任意通道',
  lookedBackTo: '已查至',
  downloadPushes: '下载此列表',
};
