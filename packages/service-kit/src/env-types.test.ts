import { type z } from 'zod';
import { envBoolean, envDurationMs, envInteger, envList, envOrigin, envUrl } from './env-types';

const read = (type: z.ZodType, text: string): unknown => {
  const parsed = type.safeParse(text);
  return parsed.success ? parsed.data : `! ${parsed.error.issues.map((issue) => issue.message).join()}`;
};

describe('envBoolean', () => {
  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['no', false],
    ['maybe', '! must be true or false'],
    ['constructor', '! must be true or false'],
  ])('reads %s as %s', (text, value) => expect(read(envBoolean(), text)).toBe(value));
});

describe('envInteger', () => {
  it.each([
    [{}, '-12', -12],
    [{ min: 1 }, '0', '! must be a whole number, at least 1'],
    [{ max: 5 }, '6', '! must be a whole number, at most 5'],
    [{ min: 1, max: 5 }, '3', 3],
    [{ min: 1, max: 5 }, '3.5', '! must be a whole number from 1 to 5'],
    [{}, '0x10', '! must be a whole number'],
    [{}, '1e3', '! must be a whole number'],
    [{}, '99999999999999999999', '! must be a whole number'],
  ])('%j reads %s as %s', (range, text, value) => expect(read(envInteger(range), text)).toBe(value));
});

describe('envDurationMs', () => {
  it.each([
    ['250', 250],
    ['250ms', 250],
    ['20s', 20_000],
    ['5 m', 300_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['0', 0],
    ['1.5s', '! must be a duration such as 500ms, 20s, 5m, 2h or 7d'],
    ['soon', '! must be a duration such as 500ms, 20s, 5m, 2h or 7d'],
  ])('reads %s as %s', (text, value) => expect(read(envDurationMs(), text)).toBe(value));

  it('keeps to its range', () => {
    expect(read(envDurationMs({ min: 100, max: 1_000 }), '2s')).toMatch(/from 100 to 1000 ms$/);
  });
});

describe('envUrl', () => {
  it.each([
    ['https://push.example.com/base/', 'https://push.example.com/base'],
    ['ftp://example.com', '! must be a URL that begins with http:// or https://'],
    ['example.com', '! must be a URL that begins with http:// or https://'],
  ])('reads %s as %s', (text, value) => expect(read(envUrl(), text)).toBe(value));

  it('takes other schemes when asked', () => {
    expect(read(envUrl({ protocols: ['ws:', 'wss:'] }), 'wss://gw.example.com')).toBe('wss://gw.example.com');
  });
});

describe('envOrigin', () => {
  const rule = '! must be an origin without path, such as http://host:8080';
  it.each([
    ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
    ['https://push.example.com/', 'https://push.example.com'],
    ['https://push.example.com/v1', rule],
    ['https://push.example.com/?a=1', rule],
    ['https://user:word@push.example.com', rule],
    ['push.example.com:443', rule],
  ])('reads %s as %s', (text, value) => expect(read(envOrigin(), text)).toBe(value));
});

describe('envList', () => {
  it('splits at commas and reads every entry', () => {
    expect(read(envList(envOrigin()), 'http://a:1, http://b:2,')).toEqual(['http://a:1', 'http://b:2']);
  });

  it('points at the entry that is wrong', () => {
    const parsed = envList(envOrigin()).safeParse('http://a:1,b');
    expect(parsed.error?.issues[0]?.path).toEqual([1]);
  });
});
