import { Header, PackSync, ReadEntry } from 'tar';

/**
 * A gzipped tar of `{ path, data, isExecutable }`. What it depends on is its content and `seconds`, the time of all files:
 * it tells no owner, machine or order of folders, so that anybody can make the same bytes.
 */
export function archiveOf(files, seconds) {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const archive = new PackSync({ portable: true, gzip: { level: 9 }, mtime: new Date(seconds * 1000) });
  for (const file of sorted) archive.add(entryOf(file));
  return archive.end().read();
}

function entryOf({ path, data, isExecutable }) {
  const header = new Header({ path, type: 'File', mode: isExecutable ? 0o755 : 0o644, size: data.length });
  return new ReadEntry(header).end(data);
}
