import type { Json, JsonObject } from '../json';
import { LIMITS, overLimit } from '../limits';
import { checkOrder, type OrderKey } from '../order';
import { checkKeys } from '../selected-keys';
import { readConditions } from './conditions';
import { Reader } from './reader';

/** A `select … from … where …` of the 1.1 API, taken apart. */
export interface CqlQuery {
  readonly className: string;
  /** Absent: all of them. */
  readonly keys?: readonly string[];
  /** `select count(*)`: how many there are, and no objects. */
  readonly isCount: boolean;
  /** To be parsed. */
  readonly where: JsonObject;
  readonly order: readonly OrderKey[];
  readonly limit?: number;
  readonly skip: number;
}

/** Parses a query; question marks stand for `values`, in order. Throws `InvalidInput` naming the place. */
export function parseCql(cql: string, values: readonly Json[] = []): CqlQuery {
  if (cql.length > LIMITS.cqlCharacters.value) throw overLimit('cqlCharacters', 'cql: may have');
  const reader = new Reader(cql, values);
  reader.expect('select');
  const selected = readSelected(reader);
  reader.expect('from');
  const className = reader.name();
  const where = reader.take('where') ? readConditions(reader) : {};
  const rest = readRest(reader);
  return { className, ...selected, where, ...rest };
}

function readSelected(reader: Reader): Pick<CqlQuery, 'keys' | 'isCount'> {
  if (reader.take('count', '(')) {
    if (!reader.take('*')) reader.name();
    reader.expect(')');
    return { isCount: true };
  }
  if (reader.take('*')) return { isCount: false };
  const keys = [reader.name()];
  while (reader.take(',')) keys.push(reader.name());
  return { keys: checkKeys(keys), isCount: false };
}

type Rest = Pick<CqlQuery, 'order' | 'limit' | 'skip'>;

/** `limit` and `order by` may come in either order; of two numbers behind `limit` the first says how many to skip. */
function readRest(reader: Reader): Rest {
  let rest: Rest = { order: [], skip: 0 };
  while (!reader.isAtEnd()) {
    if (reader.take('limit')) rest = { ...rest, ...readLimit(reader) };
    else if (reader.take('order', 'by')) rest = { ...rest, order: readOrder(reader) };
    else reader.complain('nothing is expected');
  }
  return rest;
}

function readLimit(reader: Reader): Pick<CqlQuery, 'limit' | 'skip'> {
  const first = reader.wholeNumber();
  return reader.take(',') ? { skip: first, limit: reader.wholeNumber() } : { skip: 0, limit: first };
}

function readOrder(reader: Reader): readonly OrderKey[] {
  const order: OrderKey[] = [];
  do {
    const field = reader.name();
    const isDescending = reader.take('desc');
    if (!isDescending) reader.take('asc');
    order.push({ field, isDescending });
  } while (reader.take(','));
  return checkOrder(order);
}
