const { existsSync } = require('node:fs');

/** The one without windows opens a page in a third of the time of the other. */
const PACKAGE = 'chromium-headless-shell';
const PROGRAMS = [`/usr/bin/${PACKAGE}`, '/usr/bin/chromium'];

/** The browser in which the pages of the console are tested; `PUSHFLEET_CHROMIUM` names another. */
const chromiumPath = () => process.env.PUSHFLEET_CHROMIUM || PROGRAMS.find(existsSync) || PROGRAMS[0];

module.exports = { PACKAGE, chromiumPath };
