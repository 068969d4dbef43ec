import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { Answer } from '../../parts/answer';
import { ChannelName } from '../../parts/channel-name';
import { Grid } from '../../parts/grid';
import { Moment } from '../../parts/moment';
import { Section } from '../../parts/page';
import { ReasonWords } from '../../parts/reason-words';
import { Said } from '../../parts/said';
import { useWords } from '../../words/language';
import { useStory, type OfDevice } from './use-story';

type LastPush = Schemas['DeviceStory']['pushes'][number];

/** What a vendor says is not of the server: it stands as it is. */
const wordsOf = ({ vendorCode, vendorMessage }: LastPush): string =>
  [vendorCode, vendorMessage].filter((part) => part !== undefined).join(' ');

/** What became of the last pushes that were for the device. */
export function LastPushes({ id, device }: OfDevice) {
  const t = useWords();
  return (
    <Section title={t('lastPushes')}>
      <Answer query={useStory({ id, device })}>
        {({ pushes }) => (
          <Grid
            label={t('lastPushes')}
            head={[t('at'), t('outcome'), t('channel'), t('reason'), t('vendorSays')]}
            empty={t('none')}
            rows={pushes.map((push) => ({
              key: push.objectId,
              cells: [
                <Anchor component={Link} href={`/apps/${id}/pushes/${push.objectId}`}>
                  <Moment at={push.createdAt} />
                </Anchor>,
                [push.outcome, ...(push.receipts ?? [])].join(', '),
                push.channel && <ChannelName of={push.channel} />,
                push.reason === undefined ? '' : <ReasonWords reason={push.reason} />,
                <span className="words">
                  {wordsOf(push)} {push.message !== undefined && <Said text={push.message} />}
                </span>,
              ],
            }))}
          />
        )}
      </Answer>
    </Section>
  );
}
