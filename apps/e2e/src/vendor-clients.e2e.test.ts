import hms from '@blueraydigital/hms-push';
import { Message, Notification } from 'xiaomi-push';
import constant from 'xiaomi-push/lib/constant';
import { startService, type Service } from '@pushfleet/testing';

let simulator: Service;
let origin: string;

beforeAll(async () => {
  simulator = await startService('simulator', { SIMULATOR_PORT: '0', LOG_LEVEL: 'warn' });
  origin = simulator.urls['simulator'] ?? '';
}, 30_000);

afterAll(() => simulator.stop());

describe('@blueraydigital/hms-push, unmodified', () => {
  const connect = (appSecret: string) => {
    hms.init({ appId: '100', appSecret, authUrl: `${origin}/oauth2/v3/token`, pushUrl: `${origin}/v1` });
    return hms.messaging().messaging;
  };
  const message = (token: readonly string[]) => ({
    notification: { title: 'Title', body: 'Body' },
    android: { ttl: '3600s', notification: { title: 'Title', body: 'Body', click_action: { type: 3 } } },
    token,
  });

  test('sends and is told success', async () => {
    expect(await connect('sim-secret').send(message(['t1', 't2']), false)).toMatchObject({ code: '80000000' });
  });

  test('reads a partial failure', async () => {
    const { code, msg } = await connect('sim-secret').send(message(['t1', 'gone-1', 'bad-1']), false);
    expect(code).toBe('80100000');
    expect(JSON.parse(msg)).toEqual({ success: 1, failure: 2, illegal_tokens: ['gone-1', 'bad-1'] });
  });

  test('is told when every token is dead', async () => {
    expect(await connect('sim-secret').send(message(['gone-1']), false)).toMatchObject({ code: '80300007' });
  });

  test('is refused with a wrong secret', async () => {
    await expect(connect('wrong').send(message(['t1']), false)).rejects.toBeDefined();
  });
});

describe('xiaomi-push, unmodified but for the address constant', () => {
  const connect = (appSecret: string): Notification => {
    constant.notificationAPI.regid = `${origin}/v2/message/regid`;
    return new Notification({ production: true, appSecret });
  };
  const message = (): Message => new Message().title('Title').description('Body').payload('{"k":1}').passThrough(0);

  test('sends and is told success', async () => {
    expect(await connect('sim-secret').send(['r1', 'r2'], message())).toMatchObject({ code: 0, result: 'ok' });
  });

  test('reads a partial failure', async () => {
    const { code, data } = await connect('sim-secret').send(['r1', 'gone-1'], message());
    expect([code, data['bad_regids']]).toEqual([0, 'gone-1']);
  });

  test('is told when every registration is dead', async () => {
    await expect(connect('sim-secret').send(['gone-1'], message())).rejects.toThrow(/20301/);
  });

  test('is refused with a wrong secret', async () => {
    await expect(connect('wrong').send(['r1'], message())).rejects.toThrow(/21301/);
  });
});
