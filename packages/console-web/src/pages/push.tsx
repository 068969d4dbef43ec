import { Button, Spoiler, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../api/client';
import { writeJson } from '../api/exact-json';
import { useRights } from '../api/session';
import { useReasons } from '../api/use-reasons';
import { useLiveOptions } from '../live/live';
import { Answer } from '../parts/answer';
import { ChannelName } from '../parts/channel-name';
import { Grid } from '../parts/grid';
import { JsonBlock } from '../parts/json-block';
import { Section } from '../parts/page';
import { PageOfApp } from '../parts/page-of-app';
import { PushStatus } from '../parts/push-status';
import { Said } from '../parts/said';
import { useMoment, useWords } from '../words/language';
import { PushActions, PushAgain } from './push/actions';
import { OneDevice } from './push/one-device';
import { Progress } from './push/progress';
import { textOf } from './pushes';

type Push = Schemas['PushRecord'];

const EVERY_MS = 5_000;
/** Events tell of the newest pushes that share an id, and a page shows the sum of all. */
const SHARED_EVERY_MS = 15_000;

export function PushPage({ id, pushId }: { readonly id: string; readonly pushId: string }) {
  const t = useWords();
  const { may } = useRights();
  const params = { path: { id, pushId } };
  const live = useLiveOptions(`push/${id}/${pushId}`, EVERY_MS);
  const query = useQuery({
    ...live,
    queryKey: ['push', id, pushId],
    refetchInterval: (asked) =>
      Math.min(live.refetchInterval(asked), asked.state.data?.objectId === pushId ? Infinity : SHARED_EVERY_MS),
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/pushes/{pushId}', { params })),
  });
  const known = query.data;
  return (
    <PageOfApp
      id={id}
      title={known ? textOf(known, t('silent')) : pushId}
      actions={known && may('sender') && <PushActions id={id} push={known} />}
    >
      <Answer query={query}>
        {(push) => (
          <>
            <Head push={push} />
            <Progress push={push} />
            <Books push={push} />
            <Waits push={push} />
            <Reasons id={id} push={push} />
            <OneDevice id={id} pushId={pushId} />
            <div>
              <Button
                component="a"
                href={`/api/v1/apps/${id}/pushes/${push.objectId}/outcomes`}
                download
                variant="default"
                size="xs"
              >
                {t('download')}
              </Button>
            </div>
            <Section title={t('record')}>
              <Spoiler maxHeight={120} showLabel={t('show')} hideLabel={t('hide')}>
                <JsonBlock value={push} label={t('record')} />
              </Spoiler>
            </Section>
          </>
        )}
      </Answer>
    </PageOfApp>
  );
}

function Head({ push }: { readonly push: Push }) {
  const t = useWords();
  const moment = useMoment();
  const isEverybody = Object.keys(push.where).length === 0;
  const described = isEverybody ? t('everybody') : writeJson(push.where);
  return (
    <Text className="words">
      {t('status')}: <PushStatus push={push} /> · {t('at')}: {moment(push['push-time'])} · {t('audience')}:{' '}
      {push.named === true ? t('namedDevices') : described}
    </Text>
  );
}

const sum = (counts: unknown): number =>
  Object.values((counts ?? {}) as Readonly<Record<string, number>>).reduce((total, count) => total + count, 0);

function Books({ push }: { readonly push: Push }) {
  const t = useWords();
  const columns = ['matched', 'accepted', 'delivered', 'clicked', 'outstanding'] as const;
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return (
    <Section title={t('channels')}>
      <Grid
        label={t('channels')}
        head={[t('channel'), ...columns.map((column) => t(column)), t('discarded'), t('failedCount')]}
        empty={t('none')}
        rows={Object.entries(push.channels).map(([name, books]) => ({
          key: name,
          cells: [
            <ChannelName of={name} />,
            ...columns.map((column) => number((books as Readonly<Record<string, unknown>>)[column])),
            sum((books as Readonly<Record<string, unknown>>)['discarded']),
            sum((books as Readonly<Record<string, unknown>>)['failed']),
          ],
        }))}
      />
    </Section>
  );
}

function Waits({ push: { waiting = [] } }: { readonly push: Push }) {
  const t = useWords();
  const moment = useMoment();
  if (waiting.length === 0) return null;
  return (
    <Section title={t('waiting')}>
      <Grid
        label={t('waiting')}
        head={[t('channel'), t('profileName'), t('reason'), t('count'), t('until')]}
        rows={waiting.map(({ channel, profile, reason, devices, until }) => ({
          key: `${channel} ${profile} ${reason}`,
          cells: [<ChannelName of={channel} />, profile, reason, devices, moment(until)],
        }))}
      />
    </Section>
  );
}

/** With the plain words that the API has for every reason. */
function Reasons({ id, push: { objectId, errors } }: { readonly id: string; readonly push: Push }) {
  const t = useWords();
  const { may } = useRights();
  const known = useReasons();
  if (errors.length === 0) return null;
  const wordsOf = (reason: string) => known.find((row) => row.reason === reason && row.kind !== 'waiting');
  return (
    <Section title={t('reason')}>
      <Grid
        label={t('reason')}
        head={[t('channel'), t('reason'), t('count'), t('meaning'), t('vendorSays'), t('again')]}
        rows={errors.map((error, i) => ({
          key: `${error.channel} ${error.reason} ${i}`,
          cells: [
            ...[<ChannelName of={error.channel} />, error.reason, error.count],
            <Meaning key="meaning" of={wordsOf(error.reason)} />,
            <span className="words">
              {[error['vendorCode'], error['vendorMessage']].filter((part) => part != null).join(' ')}
            </span>,
            may('sender') ? <PushAgain key="again" id={id} pushId={objectId} error={error} /> : '',
          ],
        }))}
      />
    </Section>
  );
}

function Meaning({ of }: { readonly of: Schemas['Reasons']['results'][number] | undefined }) {
  if (of === undefined) return null;
  return (
    <div>
      <Text size="sm">
        <Said text={of.means} />
      </Text>
      <Text size="sm" fw={600}>
        <Said text={of.remedy} />
      </Text>
    </div>
  );
}
