import { parseIsoDate } from './iso-date';

describe('an ISO 8601 date', () => {
  it.each([
    ['2015-10-07T00:51:13Z', '2015-10-07T00:51:13.000Z'],
    ['2015-10-07T00:51:13.413Z', '2015-10-07T00:51:13.413Z'],
    ['2015-10-07T00:51Z', '2015-10-07T00:51:00.000Z'],
    ['2015-10-07T08:51:13+08:00', '2015-10-07T00:51:13.000Z'],
    ['2015-10-07', '2015-10-07T00:00:00.000Z'],
    ['2016-02-29T23:59:59+08:00', '2016-02-29T15:59:59.000Z'],
  ])('%s is understood', (text, iso) => {
    expect(new Date(parseIsoDate(text)).toISOString()).toBe(iso);
  });

  it('without a zone is UTC wherever the process runs', () => {
    expect(parseIsoDate('2015-10-07T00:51:13.413')).toBe(Date.UTC(2015, 9, 7, 0, 51, 13, 413));
  });

  it.each([['tomorrow'], ['1'], ['2015'], ['07/10/2015'], ['2015-13-01T00:00:00Z'], [''], [1444179073], [null], [{}]])(
    '%j is none',
    (value) => {
      expect(parseIsoDate(value)).toBeNaN();
    },
  );

  it.each([['2015-02-29'], ['2015-02-30T00:00:00.000Z'], ['2015-04-31T08:00:00+08:00'], ['2015-11-31T00:00Z']])(
    '%s is none, as its month has no such day',
    (value) => {
      expect(parseIsoDate(value)).toBeNaN();
    },
  );
});
