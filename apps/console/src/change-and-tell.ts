import type { AdminCall } from './http/admin-route';

interface Change<T> {
  /** Calls `change` again when another changed the same meanwhile; resolves with what is stored then. */
  readonly update: (change: (before: T) => T) => Promise<T | undefined>;
  readonly change: (before: T) => T;
  /** What the audit log may know of it. */
  readonly view: (value: T, is: 'before' | 'after') => object;
}

/** Changes what is stored; the audit log is told of the change that was made, and of none that was only tried. */
export async function changeAndTell<T>(
  { changed }: Pick<AdminCall, 'changed'>,
  { update, change, view }: Change<T>,
): Promise<T | undefined> {
  const tried: (readonly [before: T, after: T])[] = [];
  const stored = await update((before) => {
    const after = change(before);
    tried.push([before, after]);
    return after;
  });
  const last = tried.at(-1);
  if (stored !== undefined && last) changed(view(last[0], 'before'), view(last[1], 'after'));
  return stored;
}
