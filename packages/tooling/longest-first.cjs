const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that keep one process busy for a minute and more on two processors, the longest first. */
const LONGEST = ['console-actions', 'console-pages', 'console', 'prometheus', 'console-drafts'].map(
  (name) => `apps/e2e/src/${name}.e2e.test.ts`,
);

const placeOf = ({ path }) => {
  const place = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
  return place === -1 ? LONGEST.length : place;
};

/**
 * Jest goes by how long files took before, and on a machine that has not run them by their size. The longest of all is short to
 * read: it would begin last, and run on alone for minutes.
 */
class LongestFirst extends Sequencer {
  static LONGEST = LONGEST;

  sort(tests) {
    return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

module.exports = LongestFirst;
