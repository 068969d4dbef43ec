import { findUnlocked, findUnsealed } from './check/lockfile.mjs';
import { findMisplaced } from './check/structure.mjs';
import { findOutOfStep } from './check/translations.mjs';
import { findOtherVersions } from './check/versions.mjs';

const complaints = [
  ...findMisplaced(),
  ...findUnlocked(),
  ...findUnsealed(),
  ...findOtherVersions(),
  ...findOutOfStep(),
];
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.exit(complaints.length === 0 ? 0 : 1);
