import type { Benchmark } from './benchmark';
import { smallAudienceRates, type SmallAudience } from './small-audience';

const COLUMN = 'user';
const userOf = (i: number): string => `user-${i}`;

/** Every device has a user of its own, in a column that is indexed once all are stored. */
const oneUser: SmallAudience = {
  fieldsOf: (i) => ({ [COLUMN]: userOf(i) }),
  to: (i) => ({ where: { [COLUMN]: userOf(i) } }),
  async isReady({ store }, app) {
    const [index] = await store.installations.columns.of(app.id);
    if (!index) await store.installations.columns.declare(app.id, COLUMN);
    return index?.status === 'ready';
  },
};

export const column: Benchmark = {
  name: 'column',
  measures: 'pushes/s by an indexed column, from accept to vendor call, against the same by installationId',
  mustReach: 0.7,
  goal: 0.9,
  unit: 'pushes/s',
  workers: ['hms'],
  run: (fleet, options) => smallAudienceRates(fleet, oneUser, options),
};
