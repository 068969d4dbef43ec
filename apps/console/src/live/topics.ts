import type { PushRecord } from '@pushfleet/domain';
import { channelView } from '../channel-view';
import { ofApp, ofFleet, type Access } from '../http/access';
import type { Doctor } from '../doctor/open-doctor';
import type { ConsolePorts } from '../ports';

/** Something that pages show and that changes by itself. */
export interface Topic {
  /** As a page asks for it: the kind, and where it is about an app, the app and perhaps a push of it. */
  readonly name: string;
  readonly kind: TopicKind;
  readonly app: string;
  readonly id: string;
}

export interface TopicKind {
  readonly access: Access;
  /** From one look to the next. */
  readonly everyMs: number;
  /** What a page would be told of each, in the order given. */
  look(topics: readonly Topic[]): Promise<readonly unknown[]>;
}

export type TopicKinds = Readonly<Record<string, TopicKind>>;

/** Of a list, and of pushes that share an id: pages ask for those in turns, too. */
const PUSHES_SHOWN = 20;
const NAME = /^([a-z]+)(?:\/([\w-]{1,64})(?:\/([\w-]{1,64}))?)?$/;
/** How many names a kind has behind it. */
const PARTS: Readonly<Record<string, number>> = { pushes: 1, push: 2 };

export function topicKinds(ports: ConsolePorts, doctor: Doctor): TopicKinds {
  const { store } = ports;
  const ofAll = (everyMs: number, look: () => Promise<unknown>): TopicKind => ({
    access: ofFleet('viewer'),
    everyMs,
    look: async () => [await look()],
  });
  return {
    push: {
      access: ofApp('viewer'),
      everyMs: 1000,
      async look(topics) {
        const found = await Promise.all(topics.map(({ app, id }) => store.pushes.find(app, id, PUSHES_SHOWN)));
        // All at once, so that the state of a channel is read once for all pushes that wait for it.
        return regrouped(found, await store.waits.tell(found.flat()));
      },
    },
    pushes: {
      access: ofApp('viewer'),
      everyMs: 2000,
      look: (topics) => Promise.all(topics.map(({ app }) => store.pushes.list(app, { limit: PUSHES_SHOWN, skip: 0 }))),
    },
    channels: ofAll(2000, async () =>
      Promise.all((await ports.queues.depths()).map((depths) => channelView(ports, depths))),
    ),
    processes: ofAll(5000, () => store.processes.list()),
    // Figures in the words of a finding differ with every look.
    doctor: ofAll(15_000, async () =>
      (await doctor.glance()).map(({ check, subject, status }) => [check, subject, status]),
    ),
  };
}

/** Undefined where there is no such topic. */
export function topicIn(kinds: TopicKinds, name: string): Topic | undefined {
  const [, word = '', app, id] = NAME.exec(name) ?? [];
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined;
  const parts = [app, id].filter((part) => part !== undefined).length;
  if (!kind || parts !== (PARTS[word] ?? 0)) return undefined;
  return { name, kind, app: app ?? '', id: id ?? '' };
}

function regrouped(
  groups: readonly (readonly unknown[])[],
  all: readonly PushRecord[],
): readonly (readonly PushRecord[])[] {
  let from = 0;
  return groups.map(({ length }) => all.slice(from, (from += length)));
}
