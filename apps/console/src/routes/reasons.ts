import { ADVICE_TEXTS, DESCRIBED_REASONS } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { get, type AdminRoute } from '../http/admin-route';

/** What the reasons and actions of a push record mean. */
export const reasonRoutes = (): readonly AdminRoute[] => [
  get('/reasons', () => Promise.resolve(jsonAnswer(200, { results: DESCRIBED_REASONS, actions: ADVICE_TEXTS }))),
];
