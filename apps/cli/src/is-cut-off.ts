/** Whether a line of JSON ends before what it has opened. What is wrong in another way is whole as far as anybody can tell. */
export function isCutOff(line: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    if (sign === '"') isInString = !isInString;
    else if (isInString) at += sign === '\\' ? 1 : 0;
    else if ('{['.includes(sign)) depth += 1;
    else if ('}]'.includes(sign)) depth -= 1;
  }
  return isInString || depth > 0;
}
