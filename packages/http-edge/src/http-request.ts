import { type IncomingMessage } from 'node:http';

/** A request as endpoints see it; the router adds the named parts of the path where there are any. */
export type HttpRequest = IncomingMessage & {
  readonly params?: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** A named part of the path. */
export function paramOf({ params }: HttpRequest, name: string): string {
  const value = params?.[name];
  return typeof value === 'string' ? value : '';
}

/** Of a target in absolute form, which clients send to a proxy. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Without query. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const target = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}
