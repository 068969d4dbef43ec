import { Text } from '@mantine/core';
import { useReasons } from '../api/use-reasons';
import { Said } from './said';

interface ReasonWordsProps {
  readonly reason: string;
  /** What it is about, where that is named. */
  readonly of?: string | undefined;
}

/** A reason, with the plain words that the API has for it, and what to do. */
export function ReasonWords({ reason, of }: ReasonWordsProps) {
  const row = useReasons().find((one) => one.reason === reason && one.kind !== 'waiting');
  return (
    <div>
      <span className="words">{of === undefined ? reason : `${reason}: ${of}`}</span>
      {row && (
        <>
          <Text size="sm">
            <Said text={row.means} />
          </Text>
          <Text size="sm" fw={600}>
            <Said text={row.remedy} />
          </Text>
        </>
      )}
    </div>
  );
}
