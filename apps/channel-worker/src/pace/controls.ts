import type { Control } from '@pushfleet/store';

/** Whether work that waits because of the decision before need not wait any more. */
export function isLooser(before: readonly Control[], after: readonly Control[]): boolean {
  const isLifted = before.some(
    (control) =>
      control.state !== 'discarding' &&
      !after.some((other) => isOfScope(other, control) && (other.state === control.state || other.state === 'paused')),
  );
  return isLifted || after.some((control) => control.state === 'discarding' && !before.some(isSameAs(control)));
}

const isOfScope = (one: Control, other: Control): boolean => one.app === other.app && one.profile === other.profile;

const isSameAs =
  (control: Control) =>
  (other: Control): boolean =>
    other.state === control.state && isOfScope(other, control);
