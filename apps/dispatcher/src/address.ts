import { planNamed, type Store } from '@pushfleet/store';
import type { Plan, PlannedPush } from './plan';

/** Plans a push that names its devices: they are looked up now and go to the direct queues. */
export async function planAddressed({ push, fateOf }: PlannedPush, { installations }: Store): Promise<Plan> {
  const { app, audience } = push;
  const lookUp = installations.addressed.bind(installations);
  return { lanes: [], ...(await planNamed({ app, audience, fateOf }, lookUp)) };
}
