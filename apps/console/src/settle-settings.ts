import { setTimeout as delay } from 'node:timers/promises';
import { readJson, writeJson, type JsonObject } from '@pushfleet/domain';
import type { Answer } from '@pushfleet/http-edge';
import type { FleetProcess } from '@pushfleet/store';
import type { ConsolePorts } from './ports';

type Ports = Pick<ConsolePorts, 'now' | 'settlingMs'> & {
  readonly store: Pick<ConsolePorts['store'], 'settings' | 'processes'>;
};

/** By then a process of the first version, which does not tell what it knows, has forgotten what it knew. */
const FORGOTTEN_MS = 2050;
const LOOK_MS = 50;

/** Tells the fleet of a change and waits until all living processes work with it; resolves with those that did not say so in time. */
export async function settleSettings({ store, now, settlingMs }: Ports): Promise<readonly FleetProcess[]> {
  const version = await store.settings.changed();
  const since = now();
  for (;;) {
    const waitedMs = now() - since;
    const knows = ({ settings }: FleetProcess): boolean =>
      settings === undefined ? waitedMs >= FORGOTTEN_MS : settings >= version;
    const pending = (await store.processes.list()).filter((process) => !knows(process));
    if (pending.length === 0 || waitedMs >= settlingMs) return pending;
    await delay(LOOK_MS);
  }
}

/** The answer, with the processes that may work with the settings of before. */
export function withPending(answer: Answer, pending: readonly FleetProcess[]): Answer {
  if (pending.length === 0) return answer;
  const pendingProcesses = pending.map(({ id, role, labels }) => ({ id, role, ...labels }));
  return { ...answer, body: writeJson({ ...(readJson(answer.body) as JsonObject), pendingProcesses }) };
}
