import { setTimeout as delay } from 'node:timers/promises';

export type Close = () => unknown;

export interface CloseStack {
  add(name: string, close: Close): void;
  /** Last opened first; also takes what is added meanwhile. Resolves to whether all went well. */
  closeAll(): Promise<boolean>;
}

export function openCloseStack(onFailure: (name: string, error: unknown) => void): CloseStack {
  const stack: { name: string; close: Close }[] = [];

  const closeAll = async (): Promise<boolean> => {
    let isClean = true;
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      try {
        await next.close();
      } catch (error) {
        isClean = false;
        onFailure(next.name, error);
      }
    }
    return isClean;
  };

  return { add: (name, close) => void stack.push({ name, close }), closeAll };
}

const OPENING_MS = 3000;

/**
 * For a stop that comes while things are opened: what is closed beneath them would make them fail. Resolves when they are open or
 * failed, after three seconds at the latest.
 */
export async function untilOpened(opening: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  const settle = (): void => settled.abort();
  opening.then(settle, settle);
  await delay(OPENING_MS, undefined, { signal: settled.signal }).catch(() => undefined);
}
