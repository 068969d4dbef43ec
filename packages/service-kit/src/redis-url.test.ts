import { problemOfRedisUrl } from './redis-url';

it.each([
  ...['redis://127.0.0.1', 'redis://127.0.0.1:6379', 'redis://127.0.0.1:6379/', 'rediss://user:p%40ss@host:1/15'],
  ...['redis://a:1, redis://b:65535', 'redis://[::1]:6379/1', 'redis://:p@ss@host:1', 'redis://host?family=6'],
  ...['redis+sentinel://a:1,b:2/main'],
])('finds nothing wrong with %s', (url) => expect(problemOfRedisUrl(url)).toBeUndefined());

const FORMS =
  'must be redis:// or rediss:// URLs, separated by commas, or redis+sentinel://host:port,host:port/master-name';
const PORT =
  'the port behind the host must be a number from 1 to 65535, and / ? # of a password be written %2F %3F %23';
const HASH = 'must have no #; in a password it is written %23';
const DATABASE = 'what stands behind the host must be the number of a database, and / of a password be written %2F';
const PERCENT = 'has a % in the user or the password that stands for no character; it is written %25';

it.each([
  ...['127.0.0.1:6379', 'http://127.0.0.1', 'redis:/127.0.0.1', 'redis://', 'redis://a,', '', 'redis://a b'].map(
    (url) => [url, FORMS],
  ),
  ...['redis://h:99999', 'redis://h:abc', 'redis://h:0', 'redis://:pa/ss@h:1', 'redis://[::1]:x'].map((url) => [
    url,
    PORT,
  ]),
  ...['redis://:pa@ss#word@h:1', 'redis://h:1/0#x'].map((url) => [url, HASH]),
  ...['redis://h:1/abc', 'redis://h/1/2', 'redis://h/-1'].map((url) => [url, DATABASE]),
  ...['redis://:p%zz@h', 'redis://50%:p@h:1'].map((url) => [url, PERCENT]),
])('says what is wrong with %s, without quoting it', (url, problem) => expect(problemOfRedisUrl(url)).toBe(problem));

it('tells of several which one it is', () =>
  expect(problemOfRedisUrl('redis://a:1,redis://b:99999')).toBe(`entry 2: ${PORT}`));
