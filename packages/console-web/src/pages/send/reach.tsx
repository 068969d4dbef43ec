import { Alert, Button, Card, Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { writeJson } from '../../api/exact-json';
import { preflight, type Preflight, type PushBody } from '../../api/send-push';
import { useReasons } from '../../api/use-reasons';
import { Failure } from '../../parts/answer';
import { ChannelName } from '../../parts/channel-name';
import { Grid } from '../../parts/grid';
import { Mark } from '../../parts/mark';
import { Section } from '../../parts/page';
import { Said } from '../../parts/said';
import { useNumber, useWords } from '../../words/language';

export interface Reach {
  readonly query: UseQueryResult<Preflight>;
  /** Devices looked at, while a walk goes on. */
  readonly lookedAt: number;
  readonly isExact: boolean;
  readonly countExactly: () => void;
}

/** Asked anew whenever the push is another; what was asked before is given up. */
export function useReach(id: string, body: PushBody | undefined): Reach {
  const [exactOf, setExactOf] = useState('');
  const [lookedAt, setLookedAt] = useState(0);
  const name = writeJson(body);
  const isExact = body !== undefined && exactOf === name;
  const query = useQuery({
    queryKey: ['preflight', id, name, isExact],
    enabled: body !== undefined,
    staleTime: 10_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => preflight(id, body ?? ({} as PushBody), { isExact, signal, onProgress: setLookedAt }),
    // Devices come and go; what is on the screen when somebody presses is confirmed.
    refetchOnWindowFocus: false,
    retry: false,
  });
  return { query, lookedAt, isExact, countExactly: () => setExactOf(name) };
}

interface ReachViewProps {
  readonly reach: Reach;
  /** There is a push whose reach can be asked for. */
  readonly isWhole: boolean;
  /** What is shown was counted for what is written. */
  readonly isCounted: boolean;
}

export function ReachView({ reach, isWhole, isCounted }: ReachViewProps) {
  const t = useWords();
  const { query } = reach;
  return (
    <Section title={t('reaches')}>
      {!isWhole && <Text c="dimmed">{t('nothingToCount')}</Text>}
      {isWhole && query.isFetching && <Counting reach={reach} />}
      {isWhole && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {isWhole && query.data && !query.error && <Told told={query.data} {...{ reach, isCounted }} />}
    </Section>
  );
}

function Counting({ reach: { isExact, lookedAt } }: { readonly reach: Reach }) {
  const t = useWords();
  const number = useNumber();
  return (
    <Group gap="xs">
      <Loader size="xs" role="status" aria-label={t('counting')} />
      {isExact && lookedAt > 0 && <Text size="sm">{`${t('countingExactly')} ${number(lookedAt)}`}</Text>}
    </Group>
  );
}

interface ToldProps extends Pick<ReachViewProps, 'reach' | 'isCounted'> {
  readonly told: Preflight;
}

function Told({ told, reach, isCounted }: ToldProps) {
  const t = useWords();
  const number = useNumber();
  const { devices, exact, margin = 0, warnings } = told;
  return (
    // Of what was written before, until it is counted anew.
    <Stack aria-busy={!isCounted}>
      <Text fw={700} size="lg" role="status" data-count={devices}>
        {`${exact ? '' : `${t('about')} `}${t('count')}: ${number(devices)}`}
      </Text>
      {!exact && (
        <Group>
          <Text size="sm">{`${t('upTo')} ${number(margin)}`}</Text>
          <Button size="compact-sm" variant="default" onClick={reach.countExactly}>
            {t('countExactly')}
          </Button>
        </Group>
      )}
      <Channels told={told} />
      <Previews told={told} />
      {warnings.length > 0 && (
        <Alert color="yellow" variant="outline" title={t('warnings')}>
          {warnings.map(({ path, message }) => (
            <Text key={`${path} ${message}`} size="sm" className="words">
              {`${path}: `}
              <Said text={message} />
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  );
}

function Channels({ told: { channels } }: { readonly told: Preflight }) {
  const t = useWords();
  const number = useNumber();
  return (
    <Grid
      label={t('channels')}
      head={[t('channel'), t('matched'), t('sendable'), t('notSentTo'), t('calls'), t('seconds'), t('waiting')]}
      empty={t('none')}
      rows={Object.entries(channels).map(([name, channel]) => ({
        key: name,
        cells: [
          ...[<ChannelName of={name} />, number(channel.matched), number(channel.sendable)],
          <Refused key="refused" counts={channel.discarded} />,
          ...[number(channel.calls), number(channel.estimatedSeconds)],
          (channel.waiting ?? []).map(({ profile, reason }) => `${profile}: ${reason}`).join(', '),
        ],
      }))}
    />
  );
}

/** With the plain words that the API has for every reason. */
function Refused({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const number = useNumber();
  const known = useReasons();
  const wordsOf = (reason: string): string =>
    known.find((row) => row.reason === reason && row.kind === 'discarded')?.means ?? '';
  return (
    <>
      {Object.entries(counts).map(([reason, count]) => (
        <Text key={reason} size="sm" className="words">
          {`${number(count)} ${reason}: `}
          <Said text={wordsOf(reason)} />
        </Text>
      ))}
    </>
  );
}

function Previews({ told: { channels } }: { readonly told: Preflight }) {
  const t = useWords();
  const sent = Object.entries(channels).filter(([, { sendable }]) => sendable > 0);
  if (sent.length === 0) return null;
  return (
    <Section title={t('preview')}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {sent.map(([name, { shown, truncated }]) => (
          <Card key={name} withBorder padding="sm" component="section" aria-label={`${t('preview')}: ${name}`}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">
                <ChannelName of={name} />
              </Text>
              {truncated > 0 && <Mark mood="doubtful">{t('cut')}</Mark>}
            </Group>
            <Text fw={600} className="words">
              {shown?.title}
            </Text>
            <Text className="words">{shown?.text ?? t('notShown')}</Text>
          </Card>
        ))}
      </SimpleGrid>
    </Section>
  );
}
