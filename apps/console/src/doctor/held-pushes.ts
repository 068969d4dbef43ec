import type { HeldPush } from '@pushfleet/store';
import type { ConsolePorts } from '../ports';
import { verdict, warning, type Check } from './check';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'now'>;

/** Pushes that wait because a vendor answers with a code that nobody knows. */
export async function heldPushChecks({ store, channels, now }: Ports): Promise<readonly Check[]> {
  const names = [...channels.keys()];
  const held = await Promise.all(names.map((channel) => store.pacing.pushHolds.list(channel)));
  return names.flatMap((channel, i) => {
    const waiting = (held[i] ?? []).filter(({ hold }) => hold.until > now());
    return waiting.length === 0 ? [] : [heldCheck(channel, waiting)];
  });
}

function heldCheck(channel: string, waiting: readonly HeldPush[]): Check {
  const codes = [...new Set(waiting.map(({ hold }) => hold.vendorCode ?? 'none'))].slice(0, 3).join(', ');
  const [first] = waiting;
  return verdict({ check: 'pushes-held', subject: channel }, '', [
    warning(
      `${waiting.length} pushes wait, push ${first?.pushId} of app ${first?.app} among them: the vendor answers with a code that nobody knows (${codes})`,
      `look the code up with the vendor; then \`pushfleet channels resume ${channel}\`, or cancel the pushes`,
    ),
  ]);
}
