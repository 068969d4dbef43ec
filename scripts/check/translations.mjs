import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inRoot } from '../launch/paths.mjs';

const SUFFIX = '.zh-CN.md';

/** Every translation that has other headings or other code than its original. */
export const findOutOfStep = () =>
  ['.', 'docs'].flatMap((folder) =>
    readdirSync(inRoot(folder))
      .filter((name) => name.endsWith(SUFFIX))
      .flatMap((name) => differences(join(folder, name), join(folder, name.replace(SUFFIX, '.md')))),
  );

const join = (folder, name) => (folder === '.' ? name : `${folder}/${name}`);

function differences(translation, original) {
  if (!existsSync(inRoot(original))) return [`${translation}: there is no ${original}`];
  const [here, there] = [read(translation), read(original)].map(partsOf);
  return [...headingComplaints(here, there), ...codeComplaints(here, there)].map(
    (complaint) => `${translation}: ${complaint} of ${original}`,
  );
}

const read = (path) => readFileSync(inRoot(path), 'utf8');

/** Levels of headings in order, and what stands between fences. */
function partsOf(text) {
  const fenced = /^```[^\n]*\n[\s\S]*?^```$/gm;
  const code = [...text.matchAll(fenced)].map(([block]) => block);
  const headings = [...text.replaceAll(fenced, '').matchAll(/^(#+) (.+)$/gm)].map(([, marks, words]) => [marks, words]);
  return { code, headings };
}

function headingComplaints({ headings }, { headings: wanted }) {
  const place = wanted.findIndex(([marks], i) => headings[i]?.[0] !== marks);
  if (place >= 0) return [`has no heading in the place of "${wanted[place].join(' ')}"`];
  return headings.length > wanted.length ? [`"${headings[wanted.length].join(' ')}" is no heading`] : [];
}

function codeComplaints({ code }, { code: wanted }) {
  const place = wanted.findIndex((block, i) => code[i] !== block);
  if (place >= 0) return [`block of code ${place + 1} is not that`];
  return code.length > wanted.length ? [`has more blocks of code than those`] : [];
}
