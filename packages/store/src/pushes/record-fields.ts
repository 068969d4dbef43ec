import { OWN_CHANNEL, type Reason } from '@pushfleet/domain';

/**
 * The names in a push record and in its ledger, which nobody else spells: scripts get them as constants. Records live for
 * days, and processes of two versions read them, so that a name stays what it is.
 */
export const RECORD = {
  app: 'app',
  /** The same in a packed record: for a version that knows none of these there is no record. */
  packedApp: 'a',
  /** What never changes, as JSON. */
  push: 'push',
  audience: 'audience',
  /** Whom a push is for once its sub-queries are answered; `audience` is dropped when it is long. */
  resolvedAudience: 'resolved',
  where: 'where',
  state: 'state',
  status: 'status',
  cancelled: 'cancelled',
  updatedAt: 'updatedAt',
  /** Lanes and pages that are not folded. */
  openParts: 'open',
  /** How long the record is kept once the push is done, in ms; absent: as others. */
  keepMs: 'keep',
  /** Devices of an addressed push. */
  addressed: 'addressed',
  /** `channel=time` of each channel that the push waits for. */
  estimates: 'eta',
  /** Set when more devices were refused than verdicts are kept. */
  verdictsCut: 'verdictsCut',
  /** Small frames of outcomes, one a line. */
  outcomes: 'o',
  /** Devices in the larger frames beside the record, and their bytes. */
  told: 'told',
} as const;

/**
 * Of a packed record: the text of a push, shortened; the condition on one device, of which the objectId is kept, and what stands for it
 * in its outcomes; and what stands between the name of a field and the number of a piece.
 */
const PACKED = {
  text: '^{"content":(.*),"sections":{}},"prod":"prod","createdAt":(%d+),"pushTime":(%d+),"expiresAt":(%d+)}$',
  one: '^{"objectId":"(%w+)"}$',
  same: '"@"',
  piece: '~',
} as const;
const SHORT_TEXT = /^(\d+) (-?\d+) (-?\d+) (.*)$/s;

type Fields = Readonly<Record<string, string>>;

/** The fields of a record as they were before it was packed. */
export function unpackedFields(fields: Fields): Fields {
  if (fields[RECORD.packedApp] === undefined) return fields;
  const { [RECORD.packedApp]: app, ...packed } = fields;
  const whole: Record<string, string> = { [RECORD.app]: app ?? '' };
  for (const [name, value] of Object.entries(packed)) {
    const [of = '', piece] = name.split(PACKED.piece);
    if (piece === undefined) whole[name] = value;
    else if (piece === '1') whole[of] = piecesOf(fields, of);
  }
  return { ...whole, ...ofOne(whole), [RECORD.push]: longText(whole[RECORD.push] ?? '') };
}

/** A condition is JSON; what is none is the objectId that it asks for. */
function ofOne({ [RECORD.where]: where = '{', [RECORD.outcomes]: lines }: Fields): Fields {
  if (where.startsWith('{')) return {};
  const objectId = JSON.stringify(where);
  const condition = { [RECORD.where]: `{"objectId":${objectId}}` };
  return lines === undefined ? condition : { ...condition, [RECORD.outcomes]: lines.replaceAll(PACKED.same, objectId) };
}

function piecesOf(fields: Fields, name: string): string {
  let [text, next] = ['', fields[`${name}${PACKED.piece}1`]];
  for (let number = 2; next !== undefined; number += 1) {
    text += next;
    next = fields[`${name}${PACKED.piece}${number}`];
  }
  return text;
}

function longText(text: string): string {
  const [found, at, due, expires, content] = SHORT_TEXT.exec(text) ?? [];
  if (found === undefined) return text;
  const [createdAt, pushTime, expiresAt] = ['0', due, expires].map((after) => Number(at) + Number(after));
  return `{"content":${content},"sections":{}},"prod":"prod","createdAt":${createdAt},"pushTime":${pushTime},"expiresAt":${expiresAt}}`;
}

/** What follows the channel in a counter with a reason, and in one that holds the words of a note. */
const DISCARDED = 'd:';
const FAILED = 'f:';
const NOTE = 'w:';
const INTERNAL_ERROR: Reason = 'internal-error';

export const discardCounter = (reason: string): string => `${DISCARDED}${reason}`;
export const failureCounter = (reason: string): string => `${FAILED}${reason}`;
/** The bar is what separates the parts of a field. */
export const noteCounter = (words: string): string => `${NOTE}${words.replaceAll('|', '/')}`;
export const isNoteCounter = (counter: string): boolean => counter.startsWith(NOTE);

export const counterField = (channel: string, counter: string): string => `c|${channel}|${counter}`;

export interface ReadCounter {
  readonly channel: string;
  readonly kind: 'count' | 'discarded' | 'failed' | 'note';
  readonly value: string;
}

const KINDS: ReadonlyMap<string, ReadCounter['kind']> = new Map([
  [DISCARDED, 'discarded'],
  [FAILED, 'failed'],
  [NOTE, 'note'],
]);

/** Undefined when the field is no counter; `value` is a counter's name, a reason, or the words of a note. */
export function readCounterField(field: string): ReadCounter | undefined {
  const [prefix, channel, counter] = field.split('|');
  if (prefix !== 'c' || channel === undefined || counter === undefined) return undefined;
  const kind = KINDS.get(counter.slice(0, 2));
  return kind ? { channel, kind, value: counter.slice(2) } : { channel, kind: 'count', value: counter };
}

/** Counts devices whose full mailboxes lost a message to newer ones. */
export const LAPSED = counterField(OWN_CHANNEL, 'lapsed');

/** What an error is counted by. */
export const errorKey = (channel: string, reason: string, vendorCode = ''): string =>
  `${channel}|${reason}|${vendorCode}`;

const ERROR = { count: 'n|', message: 'm|', samples: 's|' } as const;

interface ReadError {
  readonly channel: string;
  readonly reason: string;
  readonly vendorCode: string;
  /** The fields with the vendor's words, and with some objectIds. */
  readonly message: string;
  readonly samples: string;
}

/** Undefined when the field does not count an error. */
export function readErrorField(field: string): ReadError | undefined {
  if (!field.startsWith(ERROR.count)) return undefined;
  const key = field.slice(ERROR.count.length);
  const [channel = '', reason = '', ...code] = key.split('|');
  return {
    channel,
    reason,
    vendorCode: code.join('|'),
    message: `${ERROR.message}${key}`,
    samples: `${ERROR.samples}${key}`,
  };
}

const LEDGER = { lane: 'lane|', position: 'at|', page: 'page|', tries: 'tries|', pageCount: 'pages' } as const;

export const LEDGER_PAGES = LEDGER.pageCount;
export const laneField = (lane: number): string => `${LEDGER.lane}${lane}`;
/** Stands as long as the lane is open. */
export const positionField = (lane: number): string => `${LEDGER.position}${lane}`;
export const pageField = (page: number): string => `${LEDGER.page}${page}`;
export const triesField = (lane: number): string => `${LEDGER.tries}${positionField(lane)}`;

/** The numbers of what is open, in ascending order. */
export const openLanesIn = (fields: readonly string[]): readonly number[] => numbersBehind(LEDGER.position, fields);
export const openPagesIn = (fields: readonly string[]): readonly number[] => numbersBehind(LEDGER.page, fields);

function numbersBehind(prefix: string, fields: readonly string[]): readonly number[] {
  const found = fields.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)));
  return found.sort((a, b) => a - b);
}

/** The same names for scripts, with the patterns of Lua that find them. */
export const NAMES = {
  RECORD,
  PACKED,
  COLUMN: {
    prefix: 'c|',
    separator: '|',
    pattern: '^c|([^|]*)|(.*)$',
    matched: 'matched',
    expected: 'expected',
    accepted: 'accepted',
    outstanding: 'outstanding',
    discarded: DISCARDED,
    failed: FAILED,
    internalError: `|${failureCounter(INTERNAL_ERROR)}`,
    isAccepted: '^c|.*|accepted$',
    isOutstanding: '^c|([^|]*)|outstanding$',
    isNote: `^c|[^|]*|${NOTE}`,
    isExpected: '^c|[^|]*|expected$',
    counter: '^c|[^|]*|(%l+)$',
    delivered: 'delivered',
    clicked: 'clicked',
  },
  /** Counters of the own channel, and behind the id of a push: what it says there, and which devices lost that to newer ones. */
  OWN: {
    accepted: counterField(OWN_CHANNEL, 'accepted'),
    delivered: counterField(OWN_CHANNEL, 'delivered'),
    failed: counterField(OWN_CHANNEL, failureCounter(INTERNAL_ERROR)),
    lapsed: LAPSED,
    text: ':own',
    lost: ':own:lost',
    /** What a push says to more stays until it expires: it is one text for many. */
    mostDevices: 1000,
  },
  ERROR: { ...ERROR, internalError: `|${INTERNAL_ERROR}|` },
  LEDGER: { ...LEDGER, isPosition: '^at|(.*)$', isPage: '^page|' },
  /** In the JSON of a lane or a page. */
  PART: {
    channel: '"channel":"([^"]*)"',
    profile: '"profile":"([^"]*)"',
    isDirect: '"direct":true',
    dueAt: '"dueAt":(%d+)',
    booksAs: '"booksAs":"([^"]*)"',
  },
} as const;
