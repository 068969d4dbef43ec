import type { listsEn } from './lists-en';

export const listsZh: Readonly<Record<keyof typeof listsEn, string>> = {
  search: '搜索',
  searchPushes: '文本或推送 ID',
  anyChannel: '任意通道',
  askedForBy: '请求来自',
  senders: '推送方',
  chatServers: '聊天服务器',
  lookedBackTo: '已查至',
  lookedAt: '已查看',
  pushesLookedAt: '条推送(本页)',
  noneSoFar: '目前没有结果,尚未查完。',
  goOn: '继续查找',
  findDevices: '查找设备',
  findBy: '方式',
  showAll: '显示全部',
  noSuchDevices: '没有符合条件的设备。',
  downloadList: '下载此列表',
  auditApp: '应用 ID',
  fromDay: '起始(2026-01-31)',
  toDay: '早于(2026-02-28)',
};
