import { OWN_CHANNEL } from '@pushfleet/domain';
import type { Control } from '@pushfleet/store';
import type { ConsolePorts } from '../ports';
import { verdict, warning, type Check } from './check';

type Ports = Pick<ConsolePorts, 'store' | 'channels'>;

/** Pushes of a decision that are counted: enough to see that it holds something up. */
const COUNTED = 100;

const STATES: Readonly<Record<Control['state'], string>> = {
  paused: 'nothing is sent',
  draining: 'later pushes wait',
  discarding: 'whatever comes is booked without a call of the vendor',
};

/** What an operator decided about a channel and may have forgotten, and how much it holds. */
export async function decisionChecks({ store, channels }: Ports): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const channel of [...channels.keys(), OWN_CHANNEL])
    for (const control of await store.pacing.controls.list(channel))
      checks.push(await decisionCheck({ store }, channel, control));
  return checks;
}

async function decisionCheck({ store }: Pick<Ports, 'store'>, channel: string, control: Control): Promise<Check> {
  const { state, app, profile, since } = control;
  const { pushes, devices, isComplete } = await store.countOpenWork({ channel, app }, COUNTED);
  const least = isComplete && pushes < COUNTED ? '' : 'at least ';
  const scope = [app && ` --app ${app}`, profile && ` --profile ${profile}`].filter(Boolean).join('');
  return verdict({ check: 'channel-decisions', subject: `${channel}${scope}` }, '', [
    warning(
      `${state} since ${new Date(since).toISOString()}: ${STATES[state]}; ${least}${devices} devices wait (pushes: ${pushes})`,
      `\`pushfleet channels resume ${channel}${scope}\` when it is over`,
    ),
  ]);
}
