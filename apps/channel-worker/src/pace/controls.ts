import type { Control } from '@pushfleet/store';

/** Whether work that waits because of what held before need not wait any more. */
export function isLooser(before: readonly Control[], after: readonly Control[]): boolean {
  const isIn = (controls: readonly Control[], { state, app, profile }: Control): boolean =>
    controls.some((other) => other.state === state && other.app === app && other.profile === profile);
  const isLifted = before.some((control) => control.state === 'paused' && !isIn(after, control));
  return isLifted || after.some((control) => control.state === 'draining' && !isIn(before, control));
}
