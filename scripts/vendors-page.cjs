const { table } = require('./markdown-table.cjs');
const { withWritten } = require('./written-part.cjs');

const BEGIN = '<!-- Written by `npm run build && node scripts/write-vendors.mjs` from the code; edits are lost. -->';
const END = '<!-- End of what is written. -->';

const code = (text) => `\`${text}\``;
const escaped = (text) => text.replaceAll('|', '\\|');

/** What a retry policy means for the devices of a call. */
const RETRY = {
  backoff: (as) => `tried again, later booked as ${as}`,
  wait: (as, until = 'as long as the vendor says') => `waits ${until}, later booked as ${as}`,
  split: (as) => `sent again in smaller calls; a device that is alone is booked as ${as}`,
  never: (as) => `booked as ${as}`,
  'at-most-once': (as) => `perhaps tried once more, then booked as ${as}`,
};

const FRESH_TOKEN = 'a fresh access token, and one more try';
const SAVED_AGAIN = 'of a list, the message is saved once more';

/** Exports that name codes which a session answers before the tables do: what it does, and what the rows say of the second time. */
const BEFORE_TABLES = { TOKEN_REFUSED: FRESH_TOKEN, SAVED_MESSAGE_GONE: SAVED_AGAIN, SAVED_PAYLOAD_GONE: SAVED_AGAIN };

/** What is done first by a code that is named outside of the tables; undefined for any other code. */
function firstOf(key, tables) {
  const isNamed = (codes = []) => (typeof codes === 'string' ? codes === key : [...codes].includes(key));
  const named = Object.entries(BEFORE_TABLES).find(([name]) => isNamed(tables[name]));
  return named?.[1];
}

function followsFrom(row, { faults, discards }) {
  if (row.accepted) return 'counts as accepted';
  if (row.token) return FRESH_TOKEN;
  const until = row.until === undefined ? undefined : `until ${row.until} in China`;
  if (row.fault !== undefined) return RETRY[faults[row.fault].retry](code(faults[row.fault].booksAs), until);
  if (row.retryAfterMs !== undefined)
    return `the device is tried ${row.maxTries === undefined ? 'again' : `${row.maxTries} times in all`}, later booked as ${code(row.reason)}`;
  const reason = row.devices ?? row.device ?? row.discard;
  if (reason !== undefined) return `the device is ${code(reason)}${retirement(row, discards[reason])}`;
  return Object.entries(row)
    .filter(([key]) => key !== 'words')
    .map(([key, value]) => `${key} ${code(value)}`)
    .join(', ');
}

const retirement = ({ mayPass }, { retires } = {}) => {
  if (!retires) return '';
  return mayPass ? ', its registration retires after several pushes on different days' : ', its registration retires';
};

const isTable = (value) =>
  typeof value === 'object' && value !== null && Object.values(value).some((row) => typeof row?.words === 'string');

/** Codes that follow each other and mean the same are one row. */
function joined(rows) {
  const merged = [];
  for (const row of rows) {
    const last = merged.at(-1);
    if (last && last.words === row.words && last.follows === row.follows && Number(row.code) === Number(last.to) + 1)
      last.to = row.code;
    else merged.push({ ...row, from: row.code, to: row.code });
  }
  return merged.map(({ from, to, words, follows }) => [
    from === to ? code(from) : `${code(from)} – ${code(to)}`,
    words,
    follows,
  ]);
}

const TABLES = { STATUSES: 'HTTP status', USER_STATUS: 'status of a device', DEVICE_CODES: 'code of a device' };

function codesOf(tables, policies) {
  return Object.entries(tables)
    .filter(([, rows]) => isTable(rows))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, rows]) => {
      const listed = Object.entries(rows).map(([key, row]) => {
        const first = firstOf(key, tables);
        const last = followsFrom(row, policies);
        const follows = first === undefined ? last : `${first}, then ${last}`;
        return { code: key, words: escaped(row.words), follows };
      });
      return table([TABLES[name] ?? 'code', "the vendor's words", 'what follows'], joined(listed));
    });
}

/** What the vendor's own de-duplication covers. */
const DEDUPLICATES = { 'no-call': 'no', 'single-device': 'of a single device', 'every-call': 'yes' };

const limits = (budget) =>
  Object.entries(budget)
    .map(([name, value]) => `${code(name)} ${value}`)
    .join(', ');

const NO_LIMIT = 'no limit for the whole is documented';

function factsOf({ vendor, capabilities, budget, endpoints, successesField }) {
  const { maxBatch, maxPayloadBytes, passThrough, receipts, maxReceiptUrlBytes, deduplicates } = capabilities;
  const { payloadLimit = maxPayloadBytes === undefined ? NO_LIMIT : `${maxPayloadBytes} bytes` } = capabilities;
  return table(
    ['what', 'here'],
    [
      ['`vendor` of a device', code(vendor)],
      ['devices in one call', String(maxBatch)],
      ['size of a message', payloadLimit],
      ['silent messages', passThrough ? 'yes' : 'no'],
      ['receipts', receipts ? 'yes' : 'no'],
      ['bytes of an address for receipts', maxReceiptUrlBytes === undefined ? '–' : String(maxReceiptUrlBytes)],
      ['takes a repeated call for one', DEDUPLICATES[deduplicates]],
      ['budget without a setting', limits(budget)],
      ['counted in', code(successesField)],
      ['origins', Object.values(endpoints).map(code).join(', ')],
    ],
  );
}

/** One part for each channel; `vendors` is a list of `{channel, tables}`, `policies` are `{faults, discards}`. */
function vendorsPart(vendors, policies) {
  const parts = vendors.map(({ channel, tables }) =>
    [`### ${channel.name}`, factsOf(channel), ...codesOf(tables, policies)].join('\n\n'),
  );
  return parts.join('\n\n');
}

/** The page with its written part replaced. */
const withPart = (page, part) => withWritten(page, { begin: BEGIN, end: END, part });

module.exports = { vendorsPart, withPart };
