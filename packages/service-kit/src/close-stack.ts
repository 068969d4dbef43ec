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
