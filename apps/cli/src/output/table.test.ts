import { fields, table } from './table';

describe('table', () => {
  it('lines up text to the left and numbers to the right', () => {
    const text = table(
      ['NAME', 'COUNT'],
      [
        ['a', 5],
        ['longer', 12_000],
      ],
    );
    expect(text).toBe('NAME    COUNT\na           5\nlonger  12000\n');
  });

  it('counts two columns for an ideograph', () => {
    expect(
      table(
        ['NAME', 'X'],
        [
          ['测试', 'y'],
          ['abcd', 'y'],
        ],
      ),
    ).toBe('NAME  X\n测试  y\nabcd  y\n');
  });

  it('shows the head of an empty list', () => {
    expect(table(['ID', 'NAME'], [])).toBe('ID  NAME\n');
  });

  it('lets no control character reach the terminal', () => {
    expect(table(['NAME'], [['\u001b[2Jred\nline\u202e!']])).toBe('NAME\n [2Jred line !\n');
  });
});

describe('fields', () => {
  it('leaves out what is not there', () => {
    expect(
      fields([
        ['id', 'x'],
        ['vendor code', undefined],
        ['ok', false],
      ]),
    ).toBe('id: x\nok: false\n');
  });
});
