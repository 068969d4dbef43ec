import { ok, type Check } from './check';

/** There may be thousands of apps and of profiles; of the rest of a fleet there are few. */
const OF_MANY = /^(app-|profile$)/;
/** As many that say the same have a line each. */
const MOST_LINES = 20;
const NAMED = 3;

type Group = [Check, ...Check[]];

/**
 * Apps and profiles of which a check finds the same are one line, where there are many: it names the first, counts them, and has the
 * names of all for programs. Those that are well are one line, whatever is said of each.
 */
export function gather(checks: readonly Check[]): readonly Check[] {
  const groups = new Map<string, Group>();
  for (const check of checks) {
    const key = keyOf(check);
    const group = groups.get(key);
    if (group) group.push(check);
    else groups.set(key, [check]);
  }
  return [...groups.values()].flatMap((group) => (group.length > MOST_LINES ? [asOne(group)] : group));
}

function keyOf(line: Check): string {
  const { check, subject, status } = line;
  if (!OF_MANY.test(check)) return JSON.stringify([check, subject]);
  const { finding, advice } = inGeneral(line);
  return JSON.stringify(status === 'ok' ? [check, status] : [check, status, finding, advice]);
}

function asOne(group: Group): Check {
  const [first] = group;
  const subjects = group.map(({ subject }) => subject);
  const subject = `${subjects.slice(0, NAMED).join(', ')}, … (${subjects.length})`;
  const isAlike = group.every(({ finding }) => finding === first.finding);
  const line = first.status === 'ok' && !isAlike ? ok(first, 'each of them is well') : inGeneral(first);
  return { ...line, subject, subjects };
}

/** What it says of any, and not of this one. */
function inGeneral(line: Check): Check {
  const { subject, finding, advice } = line;
  const general = (text: string): string => (subject === '' ? text : text.replaceAll(subject, 'APP'));
  return { ...line, finding: general(finding), ...(advice === undefined ? {} : { advice: general(advice) }) };
}
