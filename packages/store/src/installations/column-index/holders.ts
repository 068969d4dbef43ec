import { luaScript } from '../../kit/lua/script';
import { each } from '../../kit/lua/params';
import type { IndexParts } from '../channel-index/entries';
import type { InstallationKeys } from '../keys';
import { decodeInstallation, splitAddress, type IndexedInstallation } from '../stored';
import { membersOf, readColumnTerm } from './terms';

const ranges = each({ index: 'key', from: 'text', to: 'text' });

const holdersOfShard = luaScript('installations/holders', {
  params: { records: 'key', bucketsBegin: 'text', limit: 'number', ranges },
  answer: ([count, ...flat]: readonly [number, ...string[]]) => ({ count, flat }),
});

const valuesAlive = luaScript('installations/values-alive', {
  params: { ranges },
  answer: (alive: readonly number[]) => alive,
});

/** Some terms of columns in one shard of an app. */
export interface ShardTerms {
  readonly app: string;
  readonly shard: number;
  readonly terms: readonly string[];
}

const rangesOf = (keys: InstallationKeys, { app, shard, terms }: ShardTerms) =>
  terms.map(readColumnTerm).map((term) => ({ index: keys.column(app, shard, term.column), ...membersOf(term) }));

/** The targets that have one of the terms, or had it a moment ago; none when there are more than the limit. */
export async function readHolders(
  { redis, keys }: IndexParts,
  of: ShardTerms,
  limit: number,
): Promise<{ readonly count: number; readonly installations: readonly IndexedInstallation[] }> {
  const { count, flat } = await holdersOfShard(redis, {
    records: keys.records(of.app, of.shard),
    bucketsBegin: keys.bucket(of.app, of.shard, ''),
    limit,
    ranges: rangesOf(keys, of),
  });
  const installations: IndexedInstallation[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const { registrationId } = splitAddress(flat[i + 2] ?? '');
    const found = decodeInstallation(flat[i] ?? '', flat[i + 1] ?? '', registrationId);
    if (found) installations.push(found);
  }
  return { count, installations };
}

/** For each of the terms 1 if an installation of the shard has it, else 0. */
export const areHeld = ({ redis, keys }: IndexParts, of: ShardTerms): Promise<readonly number[]> =>
  valuesAlive(redis, { ranges: rangesOf(keys, of) });
