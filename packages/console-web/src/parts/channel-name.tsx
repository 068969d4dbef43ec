import { Text } from '@mantine/core';
import { useChannelName } from '../api/use-channels';

/** A channel as everything else calls it, and as people do. */
export function ChannelName({ of }: { readonly of: string }) {
  const name = useChannelName()(of);
  return (
    <>
      <span>{of}</span>
      {name !== undefined && (
        <Text span size="sm" c="dimmed">
          {' '}
          {name}
        </Text>
      )}
    </>
  );
}
