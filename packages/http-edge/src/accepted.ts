/** What a caller takes, by an `Accept` header or one of its kind, in lower case; a weight of zero refuses. */
export function acceptedBy(header: string | readonly string[] | undefined): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const item of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted;
}
