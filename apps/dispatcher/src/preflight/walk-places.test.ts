import { openWalkPlaces, WalkRefused } from './walk-places';

it('bounds the walks of an app, and those of all together', async () => {
  const inPlace = openWalkPlaces();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const begun = Array.from({ length: 16 }, (_, n) => inPlace(`app${n >> 1}`, () => ended));
  await expect(inPlace('app0', () => ended)).rejects.toThrow(new WalkRefused('2 at once of an app'));
  await expect(inPlace('another', () => ended)).rejects.toThrow(new WalkRefused('16 at once of all apps'));
  end();
  await Promise.all(begun);
  expect(await inPlace('app0', () => Promise.resolve('walked'))).toBe('walked');
});

it('gives the place of a walk that failed to another', async () => {
  const inPlace = openWalkPlaces();
  for (let n = 0; n < 17; n += 1)
    await expect(inPlace('app', () => Promise.reject(new Error('walk')))).rejects.toThrow('walk');
});
