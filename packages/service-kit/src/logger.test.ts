import { createLogger, type Logger } from './logger';

/** Its stack holds no path: that of a checkout may hold what a secret does. */
const refused = (cause?: Error): Error =>
  Object.assign(new Error('refused', { cause }), { access_token: 's3cret', stack: 'Error: refused' });

const record = (): { log: Logger; lines: Record<string, unknown>[] } => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { log: createLogger({ LOG_LEVEL: 'info', LOG_TO: 'stdout' }, 'ingress', { write }), lines };
};

describe('createLogger', () => {
  it('writes JSON with an ISO time, the level as text and the service', () => {
    const { log, lines } = record();
    log.warn({ channel: 'hms' }, 'vendor throttles');
    log.debug('too fine');
    expect(lines).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        service: 'ingress',
        pid: process.pid,
        channel: 'hms',
        msg: 'vendor throttles',
      },
    ]);
  });

  it('tells what went wrong in Redis, not what was in the command', () => {
    const { log, lines } = record();
    const command = { name: 'get', args: ['a-secret-key'] };
    log.warn({ err: Object.assign(new Error('ERR no'), { command }) }, 'oops');
    expect(lines[0]).toMatchObject({ err: { message: 'ERR no', stack: expect.any(String) } });
    expect(JSON.stringify(lines)).not.toContain('a-secret-key');
  });

  it('and not what was in a command of an error within another', () => {
    const { log, lines } = record();
    const failed = () => Object.assign(new Error('ERR no'), { command: { name: 'get', args: ['a-secret-key'] } });
    const err = Object.assign(new AggregateError([failed()], 'all failed'), {
      ...{ lastNodeError: failed(), previousErrors: [failed()], cause: failed() },
    });
    log.warn({ err }, 'oops');
    expect(lines[0]).toMatchObject({ err: { lastNodeError: { message: 'ERR no' } } });
    expect(JSON.stringify(lines)).not.toContain('a-secret-key');
  });

  it.each([
    ['a header', { req: { headers: { 'X-LC-Key': 's3cret,master', authorization: 'MAC id="s3cret"' } } }],
    ['a profile', { profile: { appSecret: 's3cret', masterSecret: 's3"cret' } }],
    ['an error with its cause', { err: refused(refused()) }],
    ['a list', { devices: [{ registrationId: 's3cret' }], registrationIds: ['s3cret]', 's3cret'] }],
  ])('hides secrets in %s', (_where, fields) => {
    const { log, lines } = record();
    log.error(fields, 'oops');
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/s3|cret\]|"cret/);
  });

  it('hides secrets that a child logger carries', () => {
    const { log, lines } = record();
    log.child({ masterKey: 's3cret' }).info('hello');
    expect(lines[0]).toMatchObject({ masterKey: '[redacted]' });
  });

  it('leaves everything else as it is', () => {
    const { log, lines } = record();
    log.info({ pushId: 'p1', keys: 3, tokenCount: 'many' }, 'key: value');
    expect(lines[0]).toMatchObject({ pushId: 'p1', keys: 3, tokenCount: 'many', msg: 'key: value' });
  });
});
