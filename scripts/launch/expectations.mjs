const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Each rule of a column of the books, with what is wrong when it does not hold. */
const BALANCE = [
  [
    ({ matched, accepted, discarded, failed, outstanding }) =>
      matched === accepted + total(discarded) + total(failed) + outstanding,
    'matched is not accepted + discarded + failed + outstanding',
  ],
  [({ outstanding }) => outstanding === 0, 'something is outstanding'],
  [({ failed }) => total(failed) === 0, 'something failed'],
];
const REACHED = [
  [({ matched }) => matched >= 2, 'fewer than the two demo devices matched'],
  [({ accepted }) => accepted >= 1, 'the living demo device was not accepted'],
  [({ discarded }) => total(discarded) >= 1, 'the dead demo device was not discarded'],
];
const REFUSED = [
  [({ matched }) => matched >= 2, 'fewer than the two demo devices matched'],
  [({ accepted }) => accepted === 0, 'a channel without silent pushes accepted one'],
];
const OWN = [[({ accepted }) => accepted >= 1, 'the demo device without a vendor was not accepted']];

/** What is not as it must be in the record of a demo push; nothing when all is well. */
export function faultsOf(record, kind, { channels }) {
  const about = `${kind} push ${record.objectId}`;
  if (record.status !== 'done') {
    return [`${about} is not done after a minute but ${record.status}: ${JSON.stringify(record, null, 2)}`];
  }
  const vendors = Object.values(channels).map(({ name, capabilities }) => {
    const rules = kind === 'silent' && !capabilities.passThrough ? REFUSED : REACHED;
    return { name, rules: [...BALANCE, ...rules] };
  });
  const own = { name: 'own', rules: [...BALANCE, ...OWN] };
  return [...vendors, own].flatMap(({ name, rules }) => {
    const books = record.channels?.[name];
    if (!books) return [`${about}: no books for ${name}`];
    const broken = rules.filter(([holds]) => !holds(books)).map(([, complaint]) => complaint);
    return broken.map((complaint) => `${about}: ${name}: ${complaint}: ${JSON.stringify(books)}`);
  });
}
