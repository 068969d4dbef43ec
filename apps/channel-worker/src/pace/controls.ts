import type { Control, ProfileOfChannel } from '@pushfleet/store';

/** The decision that holds for a profile: the narrowest that speaks of it. */
export function controlFor(controls: readonly Control[], { app, profile }: ProfileOfChannel): Control | undefined {
  const holding = controls.filter(
    (control) =>
      (control.app === undefined || control.app === app) &&
      (control.profile === undefined || control.profile === profile),
  );
  return holding.sort((a, b) => narrowness(b) - narrowness(a))[0];
}

const narrowness = ({ app, profile }: Control): number => Number(app !== undefined) + Number(profile !== undefined);

/** Whether work that waits because of what held before need not wait any more. */
export function isLooser(before: readonly Control[], after: readonly Control[]): boolean {
  const isIn = (controls: readonly Control[], { state, app, profile }: Control): boolean =>
    controls.some((other) => other.state === state && other.app === app && other.profile === profile);
  const isLifted = before.some((control) => control.state === 'paused' && !isIn(after, control));
  return isLifted || after.some((control) => control.state === 'draining' && !isIn(before, control));
}
