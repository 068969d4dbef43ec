import type { ServiceContext } from './run-service';

/**
 * For what takes work: it takes no more from the first signal on, however long the rest of the process needs before it is this
 * close's turn, which waits for the same end.
 */
export function closeAtSignal(
  { onStopping, onClose }: Pick<ServiceContext, 'onStopping' | 'onClose'>,
  name: string,
  close: () => Promise<unknown>,
): void {
  let closing: Promise<unknown> | undefined;
  const closeOnce = (): Promise<unknown> => (closing ??= close());
  onClose(name, closeOnce);
  // A failure is told by the close.
  onStopping(() => void closeOnce().catch(() => undefined));
}
