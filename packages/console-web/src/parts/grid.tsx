import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNumber } from '../words/language';

/** A list of an app. */
export interface ListProps<T> {
  readonly id: string;
  readonly list: readonly T[];
  /** What is said when there are none. */
  readonly empty: string;
}

interface GridProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  /** Where there are no rows. */
  readonly empty?: string;
}

/**
 * A table that scrolls by itself; on a phone each row is a card, with the head of its column beside each cell. The roles are told
 * because a browser forgets them when rows are no longer laid out as rows.
 */
export function Grid({ label, head, rows, empty }: GridProps) {
  const number = useNumber();
  if (rows.length === 0 && empty !== undefined) return <Text c="dimmed">{empty}</Text>;
  return (
    <div className="wide" role="region" aria-label={label} tabIndex={0}>
      <Table className="cards" verticalSpacing="xs" highlightOnHover aria-label={label} role="table">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {head.map((text) => (
              <Table.Th key={text} scope="col" role="columnheader">
                {text}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key} role="row">
              {cells.map((cell, i) => (
                <Table.Td key={head[i] ?? i} role="cell" data-label={head[i]}>
                  {typeof cell === 'number' ? number(cell) : cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
