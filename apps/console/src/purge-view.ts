import { PURGE_STEPS, type PurgeProgress } from '@pushfleet/store';

/** How far the deletion of an app is, as the API tells it. */
export function purgeView({ startedAt, updatedAt, pass, step, done, of, removed }: PurgeProgress): object {
  return {
    startedAt: new Date(startedAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    pass,
    step,
    percent: percentOf({ step, done, of }),
    removed,
  };
}

/** Of one pass: the first takes most of what there is, the others make sure of it. */
const percentOf = ({ step, done, of }: Pick<PurgeProgress, 'step' | 'done' | 'of'>): number =>
  Math.floor(((PURGE_STEPS.indexOf(step) + (of === 0 ? 0 : done / of)) / PURGE_STEPS.length) * 100);

/** In words, for who wants the id. */
export function purgeText(app: string, { pass, step, done, of, removed }: PurgeProgress): string {
  const { pushes, installations, keys } = removed;
  return (
    `the data of app ${app} is being deleted: pass ${pass}, ${step} ${done} of ${of}; ` +
    `${installations} installations, ${pushes} pushes and ${keys} other keys are gone`
  );
}
