import { idsOfCsv } from './csv';

const FILES: Readonly<Record<string, readonly [text: string, ids: string]>> = {
  'ids alone': ['a\r\nb\n', 'a\nb'],
  'a head that is not first': ['name,"installationId"\nAnn,a\nBob,b', 'a\nb'],
  'separators and quotes between quotes': ['name;installationId\n"Ann; ""the first""" ; "a,1"\n,b', 'a,1\nb'],
  remarks: ['# made by hand\ninstallationId,name\na,#1\n# cursor=x', 'a'],
  'a quote that nobody closed': ['"a,b\nc', '"a\nc'],
  'what a vendor said in several lines': [
    'installationId,vendorMessage,at\na,"<html>\r\n#1,""502""\r\n</html>",1\nb,,2\r\n',
    'a\nb',
  ],
  'a table that spreadsheets read as texts': ["installationId\n'-a\n'=b\n\"'+c\"\n'@d\n'e", "-a\n=b\n+c\n@d\n'e"],
  'remarks with quotes': ['installationId\na\n# cut off, "so\nb,"c"\n', 'a\nb'],
  'spaces and tabs': [' a \tb\n\tc', 'a'],
};

it.each(Object.entries(FILES))('takes the ids of %s', (_, [text, ids]) => {
  expect(idsOfCsv(text, 'installation_ids')).toEqual({ ids, list: 'installation_ids' });
});

it('takes the ids of a large file at once, whatever quotes are in it', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `a${i},"said ${'x'.repeat(30)}`);
  expect(idsOfCsv(`installationId\n${lines.join('\n')}`, 'installation_ids').ids.split('\n')).toHaveLength(20_000);
  expect(idsOfCsv(`"${'a\n'.repeat(500_000)}`, 'installation_ids').ids.split('\n')).toHaveLength(500_000);
  expect(idsOfCsv(`${'"'.repeat(1_000_001)}a`, 'installation_ids').ids).toHaveLength(1_000_002);
});

it('takes the kind of id that the head names', () => {
  expect(idsOfCsv('\uFEFFobjectId\na', 'installation_ids')).toEqual({ ids: 'a', list: 'object_ids' });
});
