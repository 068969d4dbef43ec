import { writeJson, type JsonObject } from '@pushfleet/domain';
import { type Answer } from '@pushfleet/http-edge';
import { type OutcomeCursor } from '@pushfleet/store';
import { formatOutcomeCursor } from './outcome-query';

export const NDJSON = 'application/x-ndjson';

/** A page of outcomes as callers see them. */
export interface OutcomesTold {
  readonly results: readonly JsonObject[];
  /** Absent at the end. */
  readonly next?: OutcomeCursor | undefined;
  /** Every device of the record is told, when this is the end. */
  readonly isComplete: boolean;
}

export interface OutcomeStreamParts {
  readonly account: string;
  readonly first: OutcomesTold;
  read(from: OutcomeCursor): Promise<OutcomesTold>;
}

/**
 * All outcomes, a line each, and one more that says how many devices they were, whether these are all, and what went wrong
 * if something did. A body without that last line was cut off.
 */
export function outcomeStream({ account, first, read }: OutcomeStreamParts): Answer {
  let [page, devices] = [first, 0];
  const piece = (): string => {
    for (const { count = 1 } of page.results) devices += Number(count);
    const last = page.next ? [] : [{ complete: page.isComplete, devices, cursor: null }];
    return linesOf([...page.results, ...last]);
  };
  const rest = {
    account,
    async next(): Promise<string | undefined> {
      if (!page.next) return undefined;
      page = await read(page.next);
      return piece();
    },
    brokenOff: ({ body }: Answer): string => {
      const cursor = page.next ? formatOutcomeCursor(page.next) : null;
      return linesOf([{ complete: false, devices, cursor, ...(JSON.parse(body) as JsonObject) }]);
    },
  };
  const whole: Answer = { status: 200, contentType: NDJSON, body: piece() };
  return first.next ? { ...whole, rest } : whole;
}

const linesOf = (rows: readonly JsonObject[]): string => rows.map((row) => `${writeJson(row)}\n`).join('');
