import hms from '@blueraydigital/hms-push';
import PushXiaomi from 'push-xiaomi';
import { Message, Notification } from 'xiaomi-push';
import constant from 'xiaomi-push/lib/constant';
import XiaomiPush from 'xiaomipush';
import Builder from 'xiaomipush/Builder';
import Constants from 'xiaomipush/Constants';
import Sender from 'xiaomipush/Sender';
import { startService, type Service } from '@pushfleet/testing';
import { openTlsFront, type TlsFront } from './tls-front';

let simulator: Service;
let origin: string;

beforeAll(async () => {
  simulator = await startService('simulator', { SIMULATOR_PORT: '0', LOG_LEVEL: 'warn' });
  origin = simulator.urls['simulator'] ?? '';
});

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

const setStrict = async (rules: readonly string[]): Promise<void> => {
  const body = JSON.stringify({ channel: 'mi', rules });
  expect((await fetch(`${origin}/_simulator/strict`, { method: 'PUT', body })).status).toBe(200);
};

const lastMiMessage = async (): Promise<unknown> => {
  const answer = await fetch(`${origin}/_simulator/messages?channel=mi&limit=1`);
  return ((await answer.json()) as { results: readonly { message: unknown }[] }).results[0]?.message;
};

/** Sends `notify_id` in milliseconds and what it was not given as empty fields. */
describe('push-xiaomi, unmodified', () => {
  const push = (list: readonly string[], appSecret = 'sim-secret') => {
    const pushUrl = `${origin}/v3/message/regid`;
    const client = new PushXiaomi({ pushUrl, appSecret, appPkgName: 'com.example.app' });
    const codes: number[] = [];
    const text = { title: 'Title', content: 'Body', payload: '{"k":1}' };
    return new Promise<{ codes: readonly number[]; taken: number; refused: number }>((resolve, reject) => {
      const success = ({ data }: { readonly data: { readonly code: number } }): unknown => codes.push(data.code);
      const finish = ({ success_total: taken, fail_total: refused }: { success_total: number; fail_total: number }) =>
        resolve({ codes, taken, refused });
      client.push({ ...text, list, sleep: 0, success, finish }).catch(reject);
    });
  };

  test('sends and counts who was reached', async () => {
    expect(await push(['r1', 'r2', 'gone-3'])).toEqual({ codes: [0], taken: 2, refused: 1 });
    expect(await lastMiMessage()).toMatchObject({
      notify_id: expect.stringMatching(/^\d{13}$/),
      'extra.notify_effect': '',
      'extra.callback': '',
    });
  });

  test('is told when every registration is dead, or its secret wrong', async () => {
    expect(await push(['gone-1'])).toEqual({ codes: [20301], taken: 0, refused: 1 });
    expect(await push(['r1'], 'wrong')).toMatchObject({ codes: [21301], taken: 0 });
  });

  test('is refused by the vendor of today, whom it does not tell what a tap opens', async () => {
    await setStrict(['notify-effect']);
    expect(await push(['r1'])).toMatchObject({ codes: [10016] });
    await setStrict([]);
  });
});

/** Speaks TLS only, tries once more after any refusal, and forgets the `extra` fields that it was given. */
describe('xiaomipush, unmodified but for the address constant', () => {
  let front: TlsFront;
  beforeAll(async () => {
    front = await openTlsFront(origin);
    Constants.domain = front.origin;
    Constants.setPackage('com.example.app');
  });
  afterAll(() => front.close());

  const open = (secret = 'sim-secret') => {
    Constants.setSecret(secret);
    const message = new Builder();
    message.Title('Title');
    message.Description('Body');
    message.Payload('{"k":1}');
    message.Build();
    return { sender: new Sender(), message };
  };

  test('sends to a list and is told success', async () => {
    const { sender, message } = open();
    expect((await sender.sendToIds(message, ['r1', 'r2'])).getErrorCode()).toBe(0);
    expect(await lastMiMessage()).toMatchObject({ title: 'Title', restricted_package_name: 'com.example.app' });
  });

  test('sends to an account and is told success', async () => {
    expect(await XiaomiPush.pushToAndroid('com.example.app', 'sim-secret', 'user-1', 'Title', '{"k":1}')).toBe(0);
    expect(await lastMiMessage()).not.toHaveProperty(['extra.notify_effect']);
  });

  test('is told when every registration is dead, or its secret wrong', async () => {
    const good = open();
    expect((await good.sender.sendToIds(good.message, ['gone-1'])).getErrorCode()).toBe(20301);
    const wrong = open('wrong');
    expect((await wrong.sender.sendToIds(wrong.message, ['r1'])).getErrorCode()).toBe(21301);
  });

  test('reaches nobody with its single send, which misspells the registration', async () => {
    const { sender, message } = open();
    expect((await sender.send(message, 'r1')).getErrorCode()).toBe(10016);
  });
});
