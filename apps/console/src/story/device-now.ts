import {
  fatesOf,
  standingOf,
  unreachableText,
  WAIT_TEXTS,
  type App,
  type JsonObject,
  type Standing,
  type StoredDevice,
} from '@pushfleet/domain';
import { fateRules } from '../fate-rules';
import type { ConsolePorts } from '../ports';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'now'>;

/** Whether the next push reaches the device and by which road; if not, why, and what to do. */
export async function deviceNow(ports: Ports, app: App, device: StoredDevice): Promise<JsonObject> {
  const rules = await fateRules(ports, app);
  const standing = standingOf(device, fatesOf(rules));
  const ahead = await aheadOf(ports, app, standing);
  const stands = ahead === 'discarding' ? { ...standing, reason: 'channel-unavailable' as const } : standing;
  const silent = standingOf(device, fatesOf(rules, { data: { silent: true }, sections: {} }));
  return {
    ...told(stands),
    ...(ahead === undefined || ahead === 'discarding' ? {} : { waiting: ahead }),
    ...(silent.reason === standing.reason ? {} : { silent: told(silent) }),
  };
}

function told({ reason, ...road }: Standing): JsonObject {
  if (reason === undefined) return { isReachable: true, ...road };
  return { isReachable: false, ...road, reason, ...unreachableText(reason) };
}

/** What a push to this device alone would wait for, or a campaign, which more things hold up. */
async function aheadOf(
  { store: { waits }, now }: Ports,
  { id: app }: App,
  { channel, profile = '', reason }: Standing,
): Promise<JsonObject | 'discarding' | undefined> {
  if (channel === undefined || reason !== undefined) return undefined;
  const push = { app, profile, pushTime: now() };
  const [direct, bulk] = await waits.ahead(channel, [
    { ...push, isDirect: true },
    { ...push, isDirect: false },
  ]);
  const ahead = direct ?? bulk;
  if (ahead === undefined || ahead === 'discarding') return ahead;
  return {
    reason: ahead.reason,
    ...WAIT_TEXTS[ahead.reason],
    ...(ahead.until === undefined ? {} : { until: new Date(ahead.until).toISOString() }),
    ...(direct === undefined ? { campaignsOnly: true } : {}),
  };
}
