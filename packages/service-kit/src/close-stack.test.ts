import { openCloseStack } from './close-stack';

describe('openCloseStack', () => {
  it('closes last opened first and continues past one that fails', async () => {
    const steps: string[] = [];
    const stack = openCloseStack((name, error) => steps.push(`${name} failed: ${String(error)}`));
    stack.add('admin', () => steps.push('admin'));
    stack.add('redis', () => Promise.reject(new Error('away')));
    stack.add('worker', () => steps.push('worker'));
    expect(await stack.closeAll()).toBe(false);
    expect(steps).toEqual(['worker', 'redis failed: Error: away', 'admin']);
  });

  it('also closes what is opened while closing', async () => {
    const steps: string[] = [];
    const stack = openCloseStack(() => undefined);
    stack.add('first', () => stack.add('late', () => steps.push('late')));
    expect(await stack.closeAll()).toBe(true);
    expect(steps).toEqual(['late']);
  });
});
