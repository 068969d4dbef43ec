/** What only somebody at the page does. */
const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;

/** Tells whether anybody touched the page since it was asked last; whoever opened it did. */
export function watchHands(page: Pick<EventTarget, 'addEventListener'>): () => boolean {
  let isTouched = true;
  const touch = (): void => void (isTouched = true);
  for (const sign of SIGNS) page.addEventListener(sign, touch, { capture: true, passive: true });
  return () => {
    const was = isTouched;
    isTouched = false;
    return was;
  };
}
