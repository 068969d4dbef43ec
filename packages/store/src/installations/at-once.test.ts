import { setImmediate as nextTurn } from 'node:timers/promises';
import { atOnce } from './at-once';

describe('work on many items', () => {
  it('is done once for each, and so many are under way', async () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    const done: number[] = [];
    let [underWay, most] = [0, 0];
    await atOnce(7, items, async (item) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await nextTurn();
      underWay -= 1;
      done.push(item);
    });
    expect(done.sort((a, b) => a - b)).toEqual(items);
    expect(most).toBe(7);
  });

  it('fails when it fails for one', async () => {
    await expect(atOnce(2, [1, 2, 3], (item) => Promise.reject(new Error(`item ${item}`)))).rejects.toThrow('item 1');
  });
});
