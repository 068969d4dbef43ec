import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface GridProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  /** Where there are no rows. */
  readonly empty?: string;
}

/** A table that scrolls by itself where the window is narrow. */
export function Grid({ label, head, rows, empty }: GridProps) {
  if (rows.length === 0 && empty !== undefined) return <Text c="dimmed">{empty}</Text>;
  return (
    <div className="wide" role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing="xs" highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {head.map((text) => (
              <Table.Th key={text} scope="col">
                {text}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, i) => (
                <Table.Td key={head[i] ?? i}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
