/** What long lists are searched by. */
export const listsEn = {
  search: 'Search',
  searchPushes: 'Text or push id',
  anyChannel: 'Any channel',
  lookedBackTo: 'Looked back to',
  lookedAt: 'Looked at',
  pushesLookedAt: 'pushes on this page',
  noneSoFar: 'None so far; not all were looked at.',
  goOn: 'Go on',
  findDevices: 'Find devices',
  findBy: 'By',
  showAll: 'Show all',
  noSuchDevices: 'There are no such devices.',
  downloadList: 'Download this list',
  auditApp: 'App id',
  fromDay: 'From (2026-01-31)',
  toDay: 'Before (2026-02-28)',
};
