/** Processes killed in one run of the fault suite, unless `FAULT_ROUNDS` says otherwise. */
const ROUNDS = 20;

/** Rounds of a test that does this share of all kills. */
export function faultRounds(share: number): number {
  const given = process.env['FAULT_ROUNDS'];
  const total = given === undefined ? ROUNDS : Number(given);
  if (!(total > 0)) throw new Error(`FAULT_ROUNDS must be a number above 0, not ${JSON.stringify(given)}`);
  return Math.max(1, Math.round(total * share));
}

/** Devices of a test that can be run with more of them, unless `FAULT_DEVICES` says otherwise. */
export function faultDevices(few: number): number {
  const given = process.env['FAULT_DEVICES'];
  const devices = given === undefined ? few : Number(given);
  if (Number.isInteger(devices) && devices > 0) return devices;
  throw new Error(`FAULT_DEVICES must be a whole number above 0, not ${JSON.stringify(given)}`);
}
