import {
  type Audience,
  compileWhere,
  deviceAtAddress,
  type Fate,
  type FateOf,
  groupBy,
  type Installation,
  OWN_CHANNEL,
  PAGE_DEVICES,
  type PageDevice,
  profileBucket,
  type RouteBucket,
  type StoredPage,
} from '@pushfleet/domain';
import { Books } from './books';

/** The pages of the direct way, and the books of a push before any of them is sent. */
export interface DirectPlan {
  readonly pages: readonly StoredPage[];
  readonly books: readonly Books[];
}

/** A device that a push names, or that was found for it. */
export interface NamedDevice {
  readonly installation: { readonly objectId: string; readonly registrationId?: unknown };
  readonly bucket: RouteBucket;
}

/** A device of an audience. */
export interface FoundDevice {
  readonly objectId: string;
  readonly registrationId: string;
  readonly bucket: RouteBucket;
}

/** A push that names its devices, with what decides about them. */
export interface PushToPlan {
  readonly app: string;
  readonly audience: Audience;
  readonly fateOf: FateOf;
}

/** Finds the installations that a push names; those that nobody knows are left out. */
export type LookUpNamed = (
  app: string,
  named: NonNullable<Audience['addressed']>,
) => Promise<readonly { readonly installation: Installation; readonly bucket: RouteBucket }[]>;

/** Plans a push that names its devices: they are looked up now. */
export const planNamed = async (push: PushToPlan, lookUp: LookUpNamed): Promise<DirectPlan> =>
  planDirect(push.fateOf, await devicesOf(push, lookUp));

/** Plans a push to an audience of few devices. They were found, and go to the direct queues as if the push had named them. */
export function planFound(fateOf: FateOf, found: readonly FoundDevice[]): DirectPlan {
  const { pages, books } = planDirect(
    fateOf,
    found.map(({ bucket, ...installation }) => ({ bucket, installation })),
  );
  return { pages: pages.map((page) => ({ forAudience: true, ...page })), books };
}

export function planDirect(fateOf: FateOf, devices: readonly NamedDevice[]): DirectPlan {
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
      column.noteMissing(profileBucket(bucket)?.profile, fate.discard, group.length);
    } else {
      column.add('outstanding', group.length);
      pages.push(...pagesOf(group, fate));
    }
  }
  return { pages, books };
}

async function devicesOf({ app, audience, fateOf }: PushToPlan, lookUp: LookUpNamed): Promise<readonly NamedDevice[]> {
  const { addressed, devices, predicate } = audience;
  if (devices && !isOwn(fateOf(devices.bucket))) return devices.registrationIds.map(deviceIn(devices.bucket));
  // On the own channel an address says nothing by itself; the installation behind it does.
  const named = devices ? ({ field: 'registrationId', values: devices.registrationIds } as const) : addressed;
  if (!named) return [];
  const matches = predicate ? compileWhere(predicate) : () => true;
  return (await lookUp(app, named)).filter(({ installation }) => matches(installation));
}

const isOwn = ({ channel }: Fate): boolean => channel === OWN_CHANNEL;

const deviceIn =
  (bucket: RouteBucket) =>
  (registrationId: string): NamedDevice => ({ bucket, installation: deviceAtAddress(registrationId) });

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
