import { setTimeout as delay } from 'node:timers/promises';
import { openCaller } from './call.mjs';
import { faultsOf } from './expectations.mjs';
import { step } from './progress.mjs';

const DONE_WITHIN_MS = 60_000;
const POLL_MS = 100;
const APP_SETTINGS = { edition: 'commercial', hybrid: true, limits: { callsPerMinute: 0 } };

const PUSHES = [
  {
    kind: 'notification',
    body: { data: { alert: 'Hello from pushfleet', title: 'pushfleet', k1: 'a value for the app' } },
  },
  { kind: 'silent', body: { data: { silent: true, k1: 'a value for the app' } } },
];

/** Shows the fleet at work, through its public doors only. */
export function openDemo({ urls, state, channels, simulatorProfiles, lifeline }) {
  const admin = openCaller({
    origin: `${urls.console}/api/v1`,
    headers: { authorization: `Bearer ${state.adminToken}` },
    lifeline,
  });
  const asApp = ({ id }, key) =>
    openCaller({ origin: `${urls.ingress}/1.1`, headers: { 'x-lc-id': id, 'x-lc-key': key }, lifeline });

  const prepare = async () => {
    const app = await demoApp(admin, state.demoApp);
    for (const channel of Object.keys(channels)) {
      await admin('PUT', `/apps/${app.id}/profiles/${channel}/_default`, { body: simulatorProfiles[channel] });
    }
    const device = asApp(app, app.key);
    for (const body of devices(channels)) await device('POST', '/installations', { body });
    return app;
  };

  return {
    async run() {
      const app = await step('Demo: an app, its vendor profiles, its devices', prepare);
      const pushes = await step('Demo: a notification push and a silent push to everybody', () =>
        send(asApp(app, `${app.masterKey},master`), { channels, lifeline }),
      );
      const faults = pushes.flatMap(({ record, kind }) => faultsOf(record, kind, { channels }));
      return { ok: faults.length === 0, app, pushes: pushes.map(({ record }) => record), faults };
    },

    /** Signs in whoever opens it on this machine within ten minutes. */
    async consoleLink() {
      const { body } = await admin('POST', '/session/links');
      return `${urls.console}${body.path}`;
    },
  };
}

/** The app of earlier runs, with its keys, in whatever Redis is used now. */
async function demoApp(admin, stored) {
  const known = await stored.read();
  const created = await admin('POST', '/apps', {
    body: { name: 'pushfleet demo', ...APP_SETTINGS, ...known },
    expected: [201, 409],
  });
  if (created.status === 409) {
    await admin('PATCH', `/apps/${known.id}`, { body: APP_SETTINGS });
    return known;
  }
  const { id, key, masterKey } = created.body;
  await stored.write({ id, key, masterKey });
  return { id, key, masterKey };
}

/** Two of every vendor, one of them gone, and one without a vendor; the same at every run. */
function devices(channels) {
  const ofVendors = Object.values(channels).flatMap(({ name, vendor }) => [
    { installationId: `demo-${name}-1`, vendor, registrationId: `demo-${name}` },
    { installationId: `demo-${name}-2`, vendor, registrationId: `gone-demo-${name}` },
  ]);
  return [...ofVendors, { installationId: 'demo-own-1' }].map((device) => ({ deviceType: 'android', ...device }));
}

/**
 * Each with its record when it is done, or as it stands when time is up. One after the other: the first takes the dead
 * devices out of the audience, and a push under way meanwhile may or may not meet them.
 */
async function send(call, { channels, lifeline }) {
  const pushes = [];
  for (const { kind, body } of PUSHES) {
    const { body: accepted } = await call('POST', '/push', { body });
    pushes.push({ kind, record: await finalRecord(call, accepted.objectId, lifeline) });
    await untilRetired(call, Object.keys(channels).length, lifeline);
  }
  return pushes;
}

/** A push may be done a moment before its dead devices are out of the audience. */
async function untilRetired(call, dead, { signal }) {
  const path = `/installations?where=${encodeURIComponent('{"valid":false}')}&count=1&limit=0`;
  const deadline = Date.now() + DONE_WITHIN_MS;
  for (;;) {
    const { body } = await call('GET', path);
    if (body.count >= dead || Date.now() > deadline) return;
    await delay(POLL_MS, undefined, { signal });
  }
}

async function finalRecord(call, objectId, { signal }) {
  const deadline = Date.now() + DONE_WITHIN_MS;
  for (;;) {
    const { body: record } = await call('GET', `/notifications/${objectId}`);
    if (record.status === 'done' || Date.now() > deadline) return record;
    await delay(POLL_MS, undefined, { signal });
  }
}
