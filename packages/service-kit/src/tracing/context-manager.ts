import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Context, type ContextManager } from '@opentelemetry/api';

/** Knows which span the running code belongs to; unlike the stock one it can be told so by an event, without a function to wrap. */
export class EnteredContexts implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>();

  readonly with: ContextManager['with'] = (...[context, run, self, ...args]) =>
    this.storage.run(context, () => Reflect.apply(run, self, args));

  active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT;
  }

  /** For the rest of what runs now, and all that follows from it. */
  enter(context: Context): void {
    this.storage.enterWith(context);
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    const run = target as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]) => this.storage.run(context, () => run(...args))) as unknown as T;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.storage.disable();
    return this;
  }
}
