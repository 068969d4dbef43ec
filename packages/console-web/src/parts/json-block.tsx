import { Code } from '@mantine/core';
import { writeJson } from '../api/exact-json';

/** As the API told it; reached by the keyboard, since it may be wider than its place. */
export const JsonBlock = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  <Code block className="mono" tabIndex={0} role="region" aria-label={label}>
    {writeJson(value, 2)}
  </Code>
);
