import { Code } from '@mantine/core';

/** As the API told it; reached by the keyboard, since it may be wider than its place. */
export const JsonBlock = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  <Code block className="mono" tabIndex={0} role="region" aria-label={label}>
    {JSON.stringify(value, null, 2)}
  </Code>
);
