import { until } from '@pushfleet/testing';
import { ofFleet } from '../http/access';
import type { Topic, TopicKind } from './topics';
import { Watch } from './watch';

const log = { warn: (): void => undefined };
const kindOf = (look: TopicKind['look']): TopicKind => ({
  access: ofFleet('viewer'),
  everyMs: 0,
  look,
});
const topicOf = (name: string, kind: TopicKind): Topic => ({
  name,
  kind,
  app: '',
  id: '',
});

/** A look that ends when it is told to. */
function held() {
  const begun: ((views: readonly unknown[]) => void)[] = [];
  return {
    begun,
    kind: kindOf(() => new Promise((resolve) => begun.push(resolve))),
  };
}

it('a kind whose look hangs has one look at a time, and holds up no other kind', async () => {
  const { begun, kind } = held();
  let quick = 0;
  const quickKind = kindOf(() => Promise.resolve([(quick += 1)]));
  const topics = [topicOf('slow', kind), topicOf('quick', quickKind)];
  let looked = 0;
  const watch = new Watch({ log, onLooked: () => (looked += 1) });
  await until(() => {
    watch.look(topics);
    return quick >= 3;
  });
  expect([begun.length, looked, [...watch.digests.keys()]]).toEqual([1, 0, ['quick']]);
  // Whoever waits for the kind that hangs is no reason to look again and again.
  expect(watch.lacks([topicOf('slow too', kind)])).toBe(false);
  begun[0]?.(['there']);
  await until(() => looked > 0);
  expect([...watch.digests.keys()]).toEqual(['quick', 'slow']);
  await until(() => {
    watch.look(topics);
    return begun.length === 2;
  });
});

it('what nobody asks for any more is not kept, however late it is found', async () => {
  const { begun, kind } = held();
  let looked = 0;
  const watch = new Watch({ log, onLooked: () => (looked += 1) });
  watch.look([topicOf('slow', kind)]);
  watch.look([]);
  begun[0]?.(['there']);
  await until(() => looked === 1);
  expect([...watch.digests]).toEqual([]);
});

it('a kind that takes long to look at rests for several times as long, however often it is due', async () => {
  const { begun, kind } = held();
  let looked = 0;
  const watch = new Watch({ log, onLooked: () => (looked += 1) });
  const topics = [topicOf('slow', kind)];
  const beganAt = performance.now();
  watch.look(topics);
  await until(() => performance.now() - beganAt >= 40);
  begun[0]?.(['there']);
  await until(() => looked === 1);
  const tookMs = performance.now() - beganAt;
  await until(() => {
    watch.look(topics);
    return begun.length === 2;
  });
  expect(performance.now() - beganAt).toBeGreaterThan(4 * 40 + Math.min(40, tookMs));
});
