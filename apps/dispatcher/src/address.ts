import { compileWhere, type PageDevice, type StoredPage } from '@pushfleet/domain';
import { Books, type AddressedDevice, type Store } from '@pushfleet/store';
import { groupBy } from './group-by';
import type { Plan, PlannedPush } from './plan';

/** Plans a push that names its devices: they are looked up now and go to the direct queues. */
export async function planAddressed({ push, router }: PlannedPush, store: Store): Promise<Plan> {
  const { addressed, predicate } = push.audience;
  if (!addressed) return { lanes: [], pages: [], books: [] };
  const matches = predicate ? compileWhere(predicate) : () => true;
  const devices = (await store.installations.addressed(push.app, addressed)).filter(({ installation }) =>
    matches(installation),
  );
  const pages: StoredPage[] = [];
  const books: Books[] = [];
  for (const [bucket, group] of groupBy(devices, (device) => device.bucket)) {
    const route = router.route(bucket);
    const column = new Books(route.channel);
    column.add('expected', group.length);
    column.add('matched', group.length);
    books.push(column);
    if ('discard' in route) {
      column.refuse('discarded', route.discard, { count: group.length, samples: group.map(objectIdOf) });
    } else {
      column.add('outstanding', group.length);
      pages.push(
        ...pagesOf(group, { channel: route.channel, profile: route.profile, size: router.maxBatch(route.channel) }),
      );
    }
  }
  return { lanes: [], pages, books };
}

const objectIdOf = ({ installation }: AddressedDevice): string => installation.objectId;

function pagesOf(
  devices: readonly AddressedDevice[],
  { channel, profile, size }: { channel: string; profile: string; size: number },
): readonly StoredPage[] {
  const pages: StoredPage[] = [];
  for (let i = 0; i < devices.length; i += size) {
    const addresses = devices.slice(i, i + size).map(({ installation }): PageDevice => {
      const registrationId = installation['registrationId'];
      return [installation.objectId, typeof registrationId === 'string' ? registrationId : ''];
    });
    pages.push({ channel, profile, devices: addresses, dueAt: 0, tries: 0, direct: true });
  }
  return pages;
}
