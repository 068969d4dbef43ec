/** What long lists are searched by. */
export const listsEn = {
  search: 'Search',
  searchPushes: 'Text or push id',
  anyChannel: 'Any channel',
  lookedBackTo: 'Looked back to',
  downloadList: 'Download this list',
  auditApp: 'App id',
  fromDay: 'From (2026-01-31)',
  toDay: 'Before (2026-02-28)',
};
