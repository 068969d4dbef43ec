import { idsOfCsv } from './csv';

const FILES: Readonly<Record<string, readonly [text: string, ids: string]>> = {
  'ids alone': ['a\r\nb\n', 'a\nb'],
  'a head that is not first': ['name,"installationId"\nAnn,a\nBob,b', 'a\nb'],
  'separators and quotes between quotes': ['name;installationId\n"Ann; ""the first""" ; "a,1"\n,b', 'a,1\nb'],
  remarks: ['# made by hand\ninstallationId,name\na,#1\n# cursor=x', 'a'],
  'a quote that nobody closed': ['"a,b\nc', '"a\nc'],
  'spaces and tabs': [' a \tb\n\tc', 'a'],
};

it.each(Object.entries(FILES))('takes the ids of %s', (_, [text, ids]) => {
  expect(idsOfCsv(text, 'installation_ids')).toEqual({ ids, list: 'installation_ids' });
});

it('takes the kind of id that the head names', () => {
  expect(idsOfCsv('\uFEFFobjectId\na', 'installation_ids')).toEqual({ ids: 'a', list: 'object_ids' });
});
