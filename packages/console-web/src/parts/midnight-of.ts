const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/** When a day begins where the page is read, as times are shown there; undefined for what is no day. */
export function midnightOf(text: string): Date | undefined {
  const [year, month, day] = (DAY.exec(text.trim()) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const at = new Date(year, month - 1, day);
  // There is a 30th of February nowhere.
  const isThere = at.getFullYear() === year && at.getMonth() === month - 1 && at.getDate() === day;
  return isThere ? at : undefined;
}
