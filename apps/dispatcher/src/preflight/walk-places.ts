/** Walks of this process, those that wait for their turn or for the lease of their app among them. */
const MAX_WALKS = 16;
const MAX_WALKS_OF_APP = 2;

/** A walk is not begun; the message says why, in words for its asker. */
export class WalkRefused extends Error {
  override readonly name = 'WalkRefused';

  constructor(bound: string) {
    super(`Too many pre-flights walk their audience or wait for that: ${bound}.`);
  }
}

/** Runs walks as long as there are places, and refuses the others at once: whoever waited would hold up other questions. */
export function openWalkPlaces(): <T>(app: string, walk: () => Promise<T>) => Promise<T> {
  /** The app of each walk. */
  const begun = new Set<{ readonly app: string }>();
  return async (app, walk) => {
    const ofApp = [...begun].filter((one) => one.app === app).length;
    if (ofApp >= MAX_WALKS_OF_APP) throw new WalkRefused(`${MAX_WALKS_OF_APP} at once of an app`);
    if (begun.size >= MAX_WALKS) throw new WalkRefused(`${MAX_WALKS} at once of all apps`);
    const place = { app };
    begun.add(place);
    try {
      return await walk();
    } finally {
      begun.delete(place);
    }
  };
}
