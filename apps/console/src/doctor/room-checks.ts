import type { RoomOfApp, Store } from '@pushfleet/store';
import { verdict, warning, problem, type Check } from './check';

/** Apps looked at at once; each costs a command for every shard. */
const AT_ONCE = 4;
const NEARLY = 0.8;

/** How near each app is to what its installations may take. */
export async function roomChecks({
  apps,
  installations,
}: Pick<Store, 'apps' | 'installations'>): Promise<readonly Check[]> {
  const waiting = [...(await apps.list())];
  const checks: Check[] = [];
  const worker = async (): Promise<void> => {
    for (let app = waiting.shift(); app; app = waiting.shift())
      checks.push(roomCheck(app.id, await installations.room(app.id)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return checks.sort((one, other) => one.subject.localeCompare(other.subject));
}

export function roomCheck(app: string, room: RoomOfApp): Check {
  const { ceiling, unconfirmed, evicted } = room;
  const share = Math.max(room.installations / ceiling.installations, room.bytes / ceiling.bytes);
  const used = `${room.installations} installations, ${megabytes(room.bytes)} MB, ${percent(share)} of what it may have`;
  const found = `${used}; ${unconfirmed} unconfirmed, ${evicted} evicted so far`;
  const advice = `pushfleet apps update ${app} --installations N --installations-bytes N; if it is a flood, rotate the app key`;
  return verdict({ check: 'app-room', subject: app }, found, [
    share >= 1 && unconfirmed === 0 && problem(`${found}: new devices are refused`, advice),
    share >= 1 && warning(`${found}: new devices take the place of unconfirmed ones`, advice),
    share >= NEARLY && warning(found, advice),
  ]);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);
