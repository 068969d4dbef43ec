import { Group, Text } from '@mantine/core';
import { Answer } from '../../parts/answer';
import { Mark } from '../../parts/mark';
import { Moment } from '../../parts/moment';
import { Said } from '../../parts/said';
import { useWords } from '../../words/language';
import { useStory, type OfDevice } from './use-story';

/** Which way a push to the device would go; or why it would not reach it, and what to do. */
export function Road(ofDevice: OfDevice) {
  const t = useWords();
  const query = useStory(ofDevice);
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
    <Text size="sm">{means !== undefined && <Said text={means} />}</Text>
    <Text size="sm" fw={600}>
      {remedy !== undefined && <Said text={remedy} />}
    </Text>
  </div>
);
