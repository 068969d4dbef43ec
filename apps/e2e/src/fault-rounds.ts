/** Processes killed in one run of the fault suite, unless `FAULT_ROUNDS` says otherwise. */
const ROUNDS = 20;

/** Rounds of a test that does this share of all kills. */
export function faultRounds(share: number): number {
  const given = process.env['FAULT_ROUNDS'];
  const total = given === undefined ? ROUNDS : Number(given);
  if (!(total > 0)) throw new Error(`FAULT_ROUNDS must be a number above 0, not ${JSON.stringify(given)}`);
  return Math.max(1, Math.round(total * share));
}
