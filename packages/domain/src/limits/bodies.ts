import { INVALID, MALFORMED, THRESHOLD, TOO_LARGE } from './answers';
import type { Limits } from './limit';

const PUSH_BYTES = 4096;
const INSTALLATION_BYTES = 64 * 1024;
const JSON_LEVELS = 32;

/** What one request may carry. */
export const BODIES = {
  jsonLevels: {
    value: JSON_LEVELS,
    unit: 'levels',
    bounds: 'Lists and objects within each other in a JSON body or a JSON value of a query, seen before it is parsed.',
    answer: MALFORMED,
  },
  batchJsonLevels: {
    value: JSON_LEVELS + 4,
    unit: 'levels',
    bounds: 'The same in the body of a batch or an import, whose elements stand within it.',
    answer: MALFORMED,
  },
  integerDigits: {
    value: 64,
    unit: 'digits',
    bounds: 'An integer of a JSON body or query; each keeps its digits.',
    answer: MALFORMED,
  },
  pushBytes: {
    value: PUSH_BYTES,
    unit: 'bytes',
    bounds:
      'Body of a push, also of each push of a batch; of a push to devices without its `device_ids`, of one to installations without its list of ids.',
    answer: TOO_LARGE,
  },
  devicePushBytes: {
    value: 512 * 1024 + PUSH_BYTES,
    unit: 'bytes',
    bounds: 'Body of a push to devices or installations, its ids with quotes and escapes included.',
    answer: TOO_LARGE,
  },
  deviceIds: {
    value: 500,
    unit: 'ids',
    bounds: 'Devices that one push to devices or to installations names.',
    answer: THRESHOLD,
  },
  installationBodyBytes: {
    value: INSTALLATION_BYTES + 16 * 1024,
    unit: 'bytes',
    bounds: 'Body of a save, which may spell an operation where the stored document has a value.',
    answer: TOO_LARGE,
  },
  batchBytes: { value: 20 * 1024 * 1024, unit: 'bytes', bounds: 'Body of a batch.', answer: TOO_LARGE },
  batchElements: {
    value: 10_000,
    unit: 'elements',
    bounds: 'Requests in one batch.',
    answer: THRESHOLD,
    beyond: 'Nothing of the batch is begun.',
  },
  batchPushes: {
    value: 1000,
    unit: 'pushes',
    bounds: 'Pushes among the requests of one batch.',
    answer: THRESHOLD,
    beyond: 'Nothing of the batch is begun.',
  },
  textBytes: {
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'One text in a body that is so large that it is parsed in pieces.',
    answer: TOO_LARGE,
  },
  members: {
    value: 100_000,
    unit: 'members',
    bounds: 'Members of one list or object in such a body.',
    answer: TOO_LARGE,
  },
  batchAnswerBytes: {
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Answers of all elements of a batch together.',
    answer: TOO_LARGE,
    beyond: 'Elements that follow are not run and answered so, each by itself.',
  },
  receiptBytes: { value: 1024 * 1024, unit: 'bytes', bounds: 'Body of a receipt of a vendor.', answer: TOO_LARGE },
  receiptEntries: {
    value: 10_000,
    unit: 'devices',
    bounds: 'Devices that one report of a vendor names; vendors are known to send up to a thousand.',
    answer: TOO_LARGE,
  },
  adminBytes: { value: 1024 * 1024, unit: 'bytes', bounds: 'Body of a call of the admin API.', answer: TOO_LARGE },
  importBytes: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Body of an import in the admin API.',
    answer: TOO_LARGE,
  },
  objectsInPath: {
    value: 1000,
    unit: 'objects',
    bounds: 'Installations that one path names, with commas between, to delete them.',
    answer: TOO_LARGE,
  },
  importRows: {
    value: 10_000,
    unit: 'rows',
    bounds: 'Installations of one call of the import in the admin API.',
    answer: INVALID,
  },
  importUserLines: {
    value: 500,
    unit: 'lines',
    bounds: 'Users and tokens of one call of the import in the admin API.',
    answer: INVALID,
  },
} as const satisfies Limits;
