import { unique } from '@pushfleet/testing';
import { consoleHarness } from './testing/console-harness';

const admin = consoleHarness();

const SHARED = 1000;
const READS = 10;

async function pushesOfOneId(app: string, notificationId: string): Promise<void> {
  const content = { data: { alert: 'a' }, sections: {} };
  const text = { content, prod: 'prod', app, audience: {}, where: {}, notificationId } as const;
  const times = { pushTime: Date.now(), expiresAt: Date.now() + 600_000, isScheduled: false };
  for (let at = 0; at < SHARED; at += 100)
    await admin.store.acceptPushes(Array.from({ length: 100 }, () => ({ ...text, ...times })));
}

async function aViewer(): Promise<(path: string) => Promise<number>> {
  const { body } = await admin.call('POST', '/api-tokens', { name: unique('viewer'), role: 'viewer' });
  const headers = { authorization: `Bearer ${String(body['token'])}` };
  return async (path) => (await admin.raw(`/api/v1${path}`, { headers })).status;
}

async function anApp(): Promise<string> {
  return String((await admin.call('POST', '/apps', { name: 'Read by many', edition: 'commercial' })).body['id']);
}

it('whoever reads much at once holds up nobody else', async () => {
  const [app, id] = [await anApp(), unique('shared')];
  await pushesOfOneId(app, id);
  const [greedy, other] = [await aViewer(), await aViewer()];
  let isOver = false;
  const reads = Promise.all(Array.from({ length: READS }, () => greedy(`/apps/${app}/pushes/${id}`)));
  const all = reads.finally(() => (isOver = true));
  let answers = 0;
  while (!isOver) {
    expect(await other('/apps')).toBe(200);
    answers += 1;
  }
  expect(new Set(await all)).toEqual(new Set([200]));
  expect(answers).toBeGreaterThan(2 * READS);
}, 120_000);
