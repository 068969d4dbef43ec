import type { listsEn } from './lists-en';

export const listsZh: Readonly<Record<keyof typeof listsEn, string>> = {
  search: '搜索',
  searchPushes: '文本或推送 ID',
  anyChannel: '任意通道',
  lookedBackTo: '已查至',
  downloadList: '下载此列表',
  auditApp: '应用 ID',
  fromDay: '起始(2026-01-31)',
  toDay: '早于(2026-02-28)',
};
