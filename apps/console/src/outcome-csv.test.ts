import { csvOf } from './outcome-csv';

const AT = '2026-11-23T08:30:00.000Z';

it('has a line for each device, with the columns of the head', () => {
  const row = { objectId: 'o1', installationId: 'i1', channel: 'mi', outcome: 'accepted', at: AT };
  const refused = { count: 7, channel: 'hms', outcome: 'discarded', reason: 'profile-missing', at: AT };
  expect(csvOf([row, refused])).toBe(`o1,i1,,,,mi,accepted,,,,,${AT}\n,,,,7,hms,discarded,profile-missing,,,,${AT}\n`);
});

it.each([
  ['a "word", and\nanother', '"a ""word"", and\nanother"'],
  // A vendor’s words are no formula of whoever opens the file.
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['@SUM(1)', `'@SUM(1)`],
  ['-1', `'-1`],
  ['＝1+1', `'＝1+1`],
  ['\tx', `"'\tx"`],
  // Excel separates by semicolon in half of Europe.
  ['bad token;=HYPERLINK("x")', `"bad token;'=HYPERLINK(""x"")"`],
  ['a;"=1";b', `"a;'""=1"";b"`],
  ['a\t@SUM(1)', `"a\t'@SUM(1)"`],
  ['a\n +1', `"a\n' +1"`],
  ['无效的 token', '无效的 token'],
])('%j is written so that a table reads it as it is', (vendorMessage, cell) => {
  expect(csvOf([{ vendorMessage }])).toBe(`,,,,,,,,,${cell},,\n`);
});
