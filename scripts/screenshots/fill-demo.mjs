import { setTimeout as delay } from 'node:timers/promises';

const DEVICES = 9_000;
const VENDORS = ['HMS', 'mi', 'oppo', 'vivo', 'honor', 'mz'];
const VERSIONS = ['5.2.0', '5.1.3', '5.1.0', '4.9.8'];
const DAY_MS = 86_400_000;

/** What an app has after a while: thousands of devices, some of them gone, and a push to all of them. */
export async function fillDemo({ urls, adminToken, app }) {
  const call = async (method, path, body) => {
    const answer = await fetch(`${urls.console}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await call('POST', `/apps/${app.id}/installations/import`, {
    rows: Array.from({ length: DEVICES }, (_, i) => row(i)),
  });
  const data = { title: 'Spring sale', alert: 'Everything for the garden, this week only.' };
  const { objectId } = await call('POST', `/apps/${app.id}/pushes`, { data });
  await call('POST', `/apps/${app.id}/pushes`, {
    data: { title: 'Good evening', alert: 'Tomorrow is the last day.' },
    push_time: new Date(Date.now() + DAY_MS).toISOString(),
  });
  const deadline = Date.now() + 60_000;
  while ((await call('GET', `/apps/${app.id}/pushes/${objectId}`)).status !== 'done') {
    if (Date.now() > deadline) throw new Error('the push of the demo is not done');
    await delay(200);
  }
  return { pushId: objectId };
}

function row(i) {
  const at = new Date(Date.now() - (i % 80) * DAY_MS).toISOString();
  const isGone = i % 41 === 0;
  return {
    objectId: `shown${String(i).padStart(19, '0')}`,
    createdAt: at,
    updatedAt: at,
    deviceType: 'android',
    installationId: `shown-${i}`,
    valid: true,
    vendor: VENDORS[((i * 5) % 13) % VENDORS.length],
    registrationId: `${isGone ? 'gone' : 'alive'}-shown-${i}`,
    appVersion: VERSIONS[(i * 7) % 11] ?? VERSIONS[0],
  };
}
