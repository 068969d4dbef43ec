import { planDirect, planNamed, type NarrowedDevice, type Store } from '@pushfleet/store';
import type { Plan, PlannedPush } from './plan';

/** Plans a push that names its devices: they are looked up now and go to the direct queues. */
export async function planAddressed({ push, fateOf }: PlannedPush, { installations }: Store): Promise<Plan> {
  const { app, audience } = push;
  const lookUp = installations.addressed.bind(installations);
  return { lanes: [], ...(await planNamed({ app, audience, fateOf }, lookUp)) };
}

/** Plans a push to an audience of few devices. They were found, and go to the direct queues as if the push had named them. */
export function planNarrow({ fateOf }: PlannedPush, found: readonly NarrowedDevice[]): Plan {
  const { pages, books } = planDirect(
    fateOf,
    found.map(({ bucket, ...installation }) => ({ bucket, installation })),
  );
  return { lanes: [], pages: pages.map((page) => ({ ...page, forAudience: true })), books };
}
