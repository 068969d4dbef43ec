import { Progress } from './progress';

function progressOn(isTerminal: boolean, total: number | undefined) {
  let [now, text] = [0, ''];
  const io = { isTerminal, writeErr: (chunk: string) => void (text += chunk) };
  const progress = new Progress(io, { unit: 'rows', total, now: () => now });
  return {
    progress,
    after: (ms: number) => (now += ms),
    get text() {
      return text;
    },
  };
}

it('a terminal sees a bar with rate and remaining time', () => {
  const shown = progressOn(true, 1000);
  shown.after(10_000);
  shown.progress.update(250, 50_000);
  expect(shown.text).toBe('\r\x1b[K[######..................] 25 %, 50,000 rows, 5,000/s, 0:30 left');
});

it('a log gets a line now and then', () => {
  const shown = progressOn(false, 1_000_000);
  for (let i = 0; i < 12; i += 1) {
    shown.after(1000);
    shown.progress.update(i + 1, i + 1);
  }
  expect(shown.text.split('\n')).toEqual(['0 %, 5 rows, 1/s, 277:46:35 left', '0 %, 10 rows, 1/s, 277:46:30 left', '']);
});

it('without a total there is no share', () => {
  const shown = progressOn(false, undefined);
  shown.after(6000);
  shown.progress.update(1, 12_000);
  expect(shown.text).toBe('12,000 rows, 2,000/s\n');
});
