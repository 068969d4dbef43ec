/** What long lists are searched by. */
export const listsEn = {
  search: 'Search',
  searchPushes: 'Text or push id',
  anyChannel: 'Any channel',
  lookedBackTo: 'Looked back to',
  downloadPushes: 'Download this list',
};
