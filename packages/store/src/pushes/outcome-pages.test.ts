import type { OutcomeFrame } from './outcome-frames';
import { openOutcomePages, type OutcomeCursor } from './outcome-pages';

const frameOf = (objectId: string): OutcomeFrame => ({
  at: 1,
  groups: [{ channel: 'hms', outcome: 'accepted', objectIds: [objectId] }],
});
const WHOLE = { isComplete: true, lines: [] };

describe('frames that are dropped while they are read', () => {
  /** A push of twelve frames that are gone once so many were read; the record says so from then on. */
  function droppedBehind(most: number) {
    let kept = Array.from({ length: 12 }, (_, n) => frameOf(`device ${n}`));
    let read = 0;
    return openOutcomePages({
      recorded: () => Promise.resolve({ ...WHOLE, isComplete: kept.length > 0 }),
      frames(_, from, count) {
        const some = kept.slice(from, from + count);
        if ((read += some.length) >= most) kept = [];
        return Promise.resolve(some);
      },
    });
  }

  it.each([4, 8, 12])('behind %i of twelve: the last page is not complete', async (most) => {
    const page = await droppedBehind(most)({ pushIds: ['p'], filter: {}, limit: 100 });
    expect(page).toMatchObject({ isComplete: false });
    expect(page).not.toHaveProperty('next');
    expect(page.rows).toHaveLength(most);
  });

  it('between two pages: the last is not complete', async () => {
    const readPage = droppedBehind(8);
    let [from, pages]: [OutcomeCursor | undefined, number] = [undefined, 0];
    let isComplete: boolean;
    do {
      const page = await readPage({ pushIds: ['p'], filter: {}, from, limit: 4 });
      [from, isComplete, pages] = [page.next, page.isComplete, pages + 1];
    } while (from);
    expect({ isComplete, pages }).toEqual({ isComplete: false, pages: 2 });
  });

  it('never: it is complete', async () => {
    const page = await droppedBehind(13)({ pushIds: ['p'], filter: {}, limit: 100 });
    expect(page).toMatchObject({ isComplete: true });
    expect(page.rows).toHaveLength(12);
  });
});

test('records of many pushes are read side by side, a bounded number at once', async () => {
  let [underWay, most] = [0, 0];
  const seen = new Set<string>();
  const readPage = openOutcomePages({
    async recorded(pushId) {
      most = Math.max(most, (underWay += 1));
      seen.add(pushId);
      await Promise.resolve();
      underWay -= 1;
      return WHOLE;
    },
    frames: (pushId, from) => Promise.resolve(from === 0 ? [frameOf(pushId)] : []),
  });
  const pushIds = Array.from({ length: 130 }, (_, n) => `push ${n}`);
  const page = await readPage({ pushIds, filter: {}, limit: 4 });
  expect(page.next).toMatchObject({ pushId: 'push 4' });
  expect([...seen]).toEqual(pushIds);
  expect(most).toBe(50);
});
