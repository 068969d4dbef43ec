import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import { Answer } from '../../parts/answer';
import { Mark } from '../../parts/mark';
import { Moment } from '../../parts/moment';
import { useWords } from '../../words/language';

interface RoadProps {
  readonly id: string;
  readonly device: string;
}

/** Which way a push to the device would go; or why it would not reach it, and what to do. */
export function Road({ id, device }: RoadProps) {
  const t = useWords();
  const params = { path: { id, installationId: device } };
  const query = useQuery({
    queryKey: ['device', id, device, 'story'],
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/installations/{installationId}/story', { params })),
  });
  return (
    <Answer query={query}>
      {({ now: { isReachable, channel, profile, reason, means, remedy, waiting } }) => (
        <>
          <Group>
            <Text>{t(isReachable ? 'reachable' : 'notReachable')}</Text>
            <Mark mood={isReachable ? 'good' : 'bad'}>
              {[channel, profile].filter((part) => part !== undefined).join('/') || t('none')}
            </Mark>
          </Group>
          {reason !== undefined && <Why reason={reason} means={means} remedy={remedy} />}
          {waiting && (
            <>
              <Text fw={600}>{t('waiting')}</Text>
              <Why {...waiting} />
              {waiting.until !== undefined && (
                <Text size="sm">
                  {t('until')} <Moment at={waiting.until} />
                </Text>
              )}
            </>
          )}
        </>
      )}
    </Answer>
  );
}

interface WhyProps {
  readonly reason: string;
  readonly means?: string | undefined;
  readonly remedy?: string | undefined;
}

const Why = ({ reason, means, remedy }: WhyProps) => (
  <div>
    <span className="words">{reason}</span>
    <Text size="sm">{means}</Text>
    <Text size="sm" fw={600}>
      {remedy}
    </Text>
  </div>
);
