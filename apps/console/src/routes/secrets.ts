import { jsonAnswer } from '@pushfleet/http-edge';
import type { SealingProgress, SealingStatus } from '@pushfleet/store';
import { act, get, LONG, type AdminRoute } from '../http/admin-route';
import type { ConsolePorts } from '../ports';

/** How the secrets of the fleet are sealed, and sealing all of them anew. */
export const secretRoutes = ({ store: { sealing } }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
  get(
    '/secrets',
    async ({ query }) =>
      jsonAnswer(
        200,
        query['progress'] === '1' ? progressView(await sealing.progress()) : view(await sealing.status()),
      ),
    LONG,
  ),
  // A console does the work; repeated, it changes nothing about what is under way.
  act('/secrets', async ({ changed }) => {
    await sealing.beginReseal();
    changed({}, {});
    return jsonAnswer(202, progressView(await sealing.progress()));
  }),
];

const view = ({ counts, stale, unreadable, ...progress }: SealingStatus): object => ({
  ...progressView(progress),
  ...{ counts, stale, unreadable },
});

const iso = (ms: number): string => new Date(ms).toISOString();

const progressView = ({ reseal, last, ...state }: SealingProgress): object => ({
  ...state,
  ...(reseal && { reseal: { ...reseal, startedAt: iso(reseal.startedAt), updatedAt: iso(reseal.updatedAt) } }),
  ...(last && { last: { ...last, endedAt: iso(last.endedAt) } }),
});
