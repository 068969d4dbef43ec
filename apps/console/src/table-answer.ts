import { openStreamTerm, type Answer } from '@pushfleet/http-edge';
import type { AdminCall } from './http/admin-route';

interface TablePage {
  readonly lines: string;
  /** Where the next page begins; undefined behind the last. */
  readonly cursor: string | undefined;
}

interface Table {
  /** Of the file that a browser writes. */
  readonly name: string;
  /** Whose streams it counts among. */
  readonly account: string;
  readonly head: string;
  /** Where it goes on that was cut off: without a head, so that the pieces make one table. */
  readonly from: string | undefined;
  readonly read: (cursor: string | undefined) => Promise<TablePage>;
}

/** A table in comma-separated values that is told page by page, each read when the one before is taken. */
export async function tableAnswer(
  { judgeAgain, inTurn }: Pick<AdminCall, 'judgeAgain' | 'inTurn'>,
  { name, account, head, from, read }: Table,
): Promise<Answer> {
  // The whole request has its turn until it is answered.
  let page = await read(from);
  const requireTerm = openStreamTerm(judgeAgain);
  const rest = {
    account,
    async next(): Promise<string | undefined> {
      if (page.cursor === undefined) return undefined;
      await requireTerm();
      const { cursor } = page;
      page = await inTurn(() => read(cursor));
      return page.lines;
    },
    brokenOff: ({ body }: Answer): string => `# cut off, goes on with cursor=${page.cursor}: ${body}\n`,
  };
  return {
    status: 200,
    contentType: 'text/csv;charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${name.replace(/[^\w-]/g, '')}.csv"` },
    body: (from === undefined ? head : '') + page.lines,
    rest,
  };
}
