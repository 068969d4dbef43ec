import { jsonAnswer } from '@pushfleet/http-edge';
import { processName, type SealingProgress, type SealingStatus, type Store } from '@pushfleet/store';
import { act, get, LONG, type AdminRoute } from '../http/admin-route';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';

/** How the secrets of the fleet are sealed, and sealing all of them anew. */
export const secretRoutes = ({ store: { sealing, processes } }: Pick<ConsolePorts, 'store'>): readonly AdminRoute[] => [
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
    await requireOneKey({ sealing, processes });
    await sealing.beginReseal();
    changed({}, {});
    return jsonAnswer(202, progressView(await sealing.progress()));
  }),
];

/** A process that was left out of the replacement could read nothing from now on. What is under way is too late to refuse. */
async function requireOneKey({ sealing, processes }: Pick<Store, 'sealing' | 'processes'>): Promise<void> {
  const { keyId, writes, reseal } = await sealing.progress();
  if (reseal && writes === keyId) return;
  const others = (await processes.list()).filter((process) => process.keyId !== undefined && process.keyId !== keyId);
  if (others.length === 0) return;
  const named = others.slice(0, MOST_NAMED).map(processName).join(', ');
  throw new Problem(
    'conflict',
    `the console has the key ${keyId}, and ${others.length} living processes do not: ${named}; give them the same ` +
      'SECRET_KEY and restart them, or stop them (a killed one counts for 15 s)',
  );
}

const MOST_NAMED = 20;

const view = ({ keyId, writes, phase, reseal, last, damaged, ...counted }: SealingStatus): object => ({
  ...progressView({ keyId, writes, phase, reseal, last, damaged }),
  ...counted,
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** What is damaged is a line of the doctor. */
const progressView = ({ reseal, last, damaged: _, ...state }: SealingProgress): object => ({
  ...state,
  ...(reseal && { reseal: { ...reseal, startedAt: iso(reseal.startedAt), updatedAt: iso(reseal.updatedAt) } }),
  ...(last && { last: { ...last, endedAt: iso(last.endedAt) } }),
});
