import { isRedisAway } from './redis-away';

const reply = (message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name: 'ReplyError', ...more });

it.each([
  reply('CLUSTERDOWN Hash slot not served'),
  reply('CLUSTERDOWN The cluster is down'),
  reply('MOVED 3999 127.0.0.1:6381'),
  reply('ASK 3999 127.0.0.1:6381'),
  reply('TRYAGAIN Multiple keys request during rehashing of slot'),
  new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 3999 127.0.0.1:6381'),
  new Error('Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN Hash slot not served'),
  reply('EXECABORT Transaction discarded because of previous errors.', { previousErrors: [reply('MOVED 1 a:1')] }),
  Object.assign(new Error('Failed to refresh slots cache.'), { name: 'ClusterAllFailedError' }),
])('$message: Redis is away', (error) => expect(isRedisAway(error)).toBe(true));

it.each([
  reply('ERR wrong number of arguments'),
  reply('EXECABORT Transaction discarded because of previous errors.', { previousErrors: [reply('ERR syntax error')] }),
  reply('CROSSSLOT Keys in request do not hash to the same slot'),
  new TypeError('MOVED is not a function'),
  'MOVED',
])('%s: a defect', (error) => expect(isRedisAway(error)).toBe(false));
