import {
  compileWhere,
  groupBy,
  OWN_CHANNEL,
  PAGE_DEVICES,
  type Fate,
  type FateOf,
  type PageDevice,
  type RouteBucket,
  type StoredPage,
} from '@pushfleet/domain';
import { Books, type NarrowedDevice, type Store } from '@pushfleet/store';
import type { Plan, PlannedPush } from './plan';

/** Plans a push that names its devices: they are looked up now and go to the direct queues. */
export async function planAddressed(planned: PlannedPush, store: Store): Promise<Plan> {
  return planDirect(planned.fateOf, await devicesOf(planned, store));
}

/** Plans a push to an audience of few devices. They were found, and go to the direct queues as if the push had named them. */
export function planNarrow({ fateOf }: PlannedPush, found: readonly NarrowedDevice[]): Plan {
  const plan = planDirect(
    fateOf,
    found.map(({ bucket, ...installation }) => ({ bucket, installation })),
  );
  return { ...plan, pages: plan.pages.map((page) => ({ ...page, forAudience: true })) };
}

function planDirect(fateOf: FateOf, devices: readonly NamedDevice[]): Plan {
  const pages: StoredPage[] = [];
  const books: Books[] = [];
  for (const [bucket, group] of groupBy(devices, (device) => device.bucket)) {
    const fate = fateOf(bucket);
    const column = new Books(fate.channel);
    column.add('expected', group.length);
    column.add('matched', group.length);
    books.push(column);
    if ('discard' in fate) {
      column.refuse('discarded', fate.discard, { count: group.length, samples: group.map(objectIdOf) });
    } else {
      column.add('outstanding', group.length);
      pages.push(...pagesOf(group, fate));
    }
  }
  return { lanes: [], pages, books };
}

interface NamedDevice {
  readonly installation: { readonly objectId: string; readonly registrationId?: unknown };
  readonly bucket: RouteBucket;
}

async function devicesOf({ push, fateOf }: PlannedPush, store: Store): Promise<readonly NamedDevice[]> {
  const { addressed, devices, predicate } = push.audience;
  if (devices && !isOwn(fateOf(devices.bucket))) return devices.registrationIds.map(deviceIn(devices.bucket));
  // On the own channel an address says nothing by itself; the installation behind it does.
  const named = devices ? ({ field: 'registrationId', values: devices.registrationIds } as const) : addressed;
  if (!named) return [];
  const matches = predicate ? compileWhere(predicate) : () => true;
  return (await store.installations.addressed(push.app, named)).filter(({ installation }) => matches(installation));
}

const isOwn = ({ channel }: Fate): boolean => channel === OWN_CHANNEL;

/** An address that the sender lists stands for its device, in verdicts as well. */
const deviceIn =
  (bucket: RouteBucket) =>
  (registrationId: string): NamedDevice => ({ bucket, installation: { objectId: registrationId, registrationId } });

const objectIdOf = ({ installation }: NamedDevice): string => installation.objectId;

function pagesOf(
  devices: readonly NamedDevice[],
  { channel, profile }: { readonly channel: string; readonly profile: string },
): readonly StoredPage[] {
  const pages: StoredPage[] = [];
  for (let i = 0; i < devices.length; i += PAGE_DEVICES) {
    const addresses = devices.slice(i, i + PAGE_DEVICES).map(({ installation }): PageDevice => {
      const { registrationId } = installation;
      return [installation.objectId, typeof registrationId === 'string' ? registrationId : ''];
    });
    pages.push({ channel, profile, devices: addresses, dueAt: 0, tries: 0, direct: true });
  }
  return pages;
}
