interface Window {
  readonly second: number;
  count: number;
}

const MAX_KEYS = 10_000;

/** Whether one more is allowed in this second, for each key by itself; of this process alone. */
export function openRateLimit(perSecond: number, now: () => number): (key: string) => boolean {
  const windows = new Map<string, Window>();
  return (key) => {
    const second = Math.floor(now() / 1000);
    const known = windows.get(key);
    const window = known?.second === second ? known : { second, count: 0 };
    if (windows.size >= MAX_KEYS && !known) windows.clear();
    windows.set(key, window);
    window.count += 1;
    return window.count <= perSecond;
  };
}
