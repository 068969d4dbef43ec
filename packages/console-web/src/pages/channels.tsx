import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { useLive } from '../live/live';
import { usePace } from '../live/use-pace';
import { Answer, Failure } from '../parts/answer';
import { ChannelName } from '../parts/channel-name';
import { Grid } from '../parts/grid';
import { Mark } from '../parts/mark';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { TimeLeft } from '../parts/time-left';
import { useNumber, useWords } from '../words/language';
import { Discard, Resume, Stop } from './channels/decisions';

type Channel = Schemas['Channel'];
type Backlog = Schemas['Backlog']['results'][number];

const EVERY_MS = 5_000;
const BACKLOG_MS = 10_000;

export function ChannelsPage() {
  const t = useWords();
  const query = useLive({ topic: 'channels', everyMs: EVERY_MS, queryFn: () => ask(api.GET('/api/v1/channels')) });
  const backlog = useQuery({
    queryKey: ['backlog'],
    refetchInterval: BACKLOG_MS,
    queryFn: () => ask(api.GET('/api/v1/backlog')),
  });
  return (
    <Page title={t('channels')}>
      <Failure error={backlog.error} onRetry={() => void backlog.refetch()} />
      <Answer query={query}>
        {({ results }) => (
          <Channels list={results} backlogs={backlog.data?.results ?? (backlog.isError ? 'unknown' : 'loading')} />
        )}
      </Answer>
      {backlog.data?.complete === false && <Text c="dimmed">{t('backlogCut')}</Text>}
    </Page>
  );
}

/** A channel without a backlog has nothing to do, but only where it is known what the others have. */
type Backlogs = readonly Backlog[] | 'loading' | 'unknown';

interface ChannelsProps {
  readonly list: readonly Channel[];
  readonly backlogs: Backlogs;
}

const backlogOf = (backlogs: Backlogs, { channel }: Channel): Backlog | undefined =>
  typeof backlogs === 'string' ? undefined : backlogs.find((one) => one.channel === channel);

function Channels({ list, backlogs }: ChannelsProps) {
  const t = useWords();
  const { may } = useRights();
  const mayDecide = may('operator', 'fleet');
  return (
    <Grid
      label={t('channels')}
      head={[t('channel'), t('workers'), t('state'), t('backlog'), t('waiting'), t('budget'), t('change')]}
      rows={list.map((channel) => ({
        key: channel.channel,
        cells: [
          <ChannelName of={channel.channel} />,
          channel.consumers,
          <States channel={channel} mayDecide={mayDecide} />,
          <Left backlogs={backlogs} channel={channel} />,
          <Waits backlogs={backlogs} channel={channel} />,
          Object.entries(channel.budget)
            .map(([unit, rate]) => `${unit}: ${String(rate)}`)
            .join(', ') || t('none'),
          mayDecide ? <Decide channel={channel.channel} /> : '',
        ],
      }))}
    />
  );
}

function States({ channel, mayDecide }: { readonly channel: Channel; readonly mayDecide: boolean }) {
  const t = useWords();
  const { controls } = channel;
  if (controls.length === 0) return <Mark mood="good">{t('running')}</Mark>;
  return (
    <Stack gap="xs">
      {controls.map(({ state, app, profile }) => (
        <Group key={`${app} ${profile}`} gap="xs">
          <Mark mood="doubtful">{[t(state), app, profile].filter((part) => part !== undefined).join(' ')}</Mark>
          {mayDecide && <Resume channel={channel.channel} scope={{ app, profile }} />}
        </Group>
      ))}
    </Stack>
  );
}

interface OfChannelProps {
  readonly backlogs: Backlogs;
  readonly channel: Channel;
}

function Left({ backlogs, channel }: OfChannelProps) {
  const t = useWords();
  const number = useNumber();
  const of = backlogOf(backlogs, channel);
  const secondsLeft = usePace(of?.devices ?? 0);
  const jobs = [channel['direct'], channel['bulk']].reduce<number>((sum, depth) => sum + unfinished(depth), 0);
  return (
    <Stack gap={2}>
      <span>
        {typeof backlogs === 'string' && <NotKnown why={backlogs} />}
        {typeof backlogs !== 'string' && `${number(of?.devices ?? 0)} ${t('devicesOf')}`}
        {of !== undefined && `, ${number(of.pushes)} ${t('pushesOf')}`}
      </span>
      {jobs > 0 && <Text size="sm">{`${number(jobs)} ${t('jobs')}`}</Text>}
      {of !== undefined && <TimeLeft seconds={secondsLeft} estimatedDoneAt={of.estimatedDoneAt} />}
    </Stack>
  );
}

const unfinished = (depth: unknown): number =>
  Object.values((depth ?? {}) as Readonly<Record<string, number>>).reduce((sum, count) => sum + count, 0);

function NotKnown({ why }: { readonly why: 'loading' | 'unknown' }) {
  const t = useWords();
  return <span>{why === 'loading' ? '…' : t('unknown')}</span>;
}

/** Why some of it does not go on, whichever part of the API says so. */
function Waits({ backlogs, channel }: OfChannelProps) {
  const t = useWords();
  const number = useNumber();
  const { breakers, vendorWaits, heldPushes } = channel;
  const reasons = backlogOf(backlogs, channel)?.waiting ?? [];
  const isKnown = typeof backlogs !== 'string';
  if (isKnown && reasons.length + breakers.length + vendorWaits.length + heldPushes.length === 0) return t('none');
  return (
    <Stack gap={2} className="words">
      {!isKnown && <NotKnown why={backlogs} />}
      {reasons.map(({ reason, pushes, devices }) => (
        <span
          key={reason}
        >{`${reason}: ${number(devices)} ${t('devicesOf')}, ${number(pushes)} ${t('pushesOf')}`}</span>
      ))}
      {breakers.map(({ app, profile, state, nextProbeAt }) => (
        <span key={`${app} ${profile}`}>
          {`${t('breakers')} ${app} ${profile}: ${state}, ${t('until')} `}
          <Moment at={nextProbeAt} />
        </span>
      ))}
      {vendorWaits.map(({ app, profile, reason, until }) => (
        <span key={`${app} ${profile} ${reason}`}>
          {`${app} ${profile}: ${reason}, ${t('until')} `}
          <Moment at={until} />
        </span>
      ))}
      {heldPushes.map(({ app, profile, pushId, reason, until }) => (
        <span key={`${app} ${profile} ${pushId}`}>
          {`${app} ${profile} ${pushId}: ${reason}, ${t('until')} `}
          <Moment at={until} />
        </span>
      ))}
    </Stack>
  );
}

/** Each its own button: what another person decides meanwhile changes none of them under the hand. */
const Decide = ({ channel }: { readonly channel: string }) => (
  <Group gap="xs">
    <Stop channel={channel} verb="pause" />
    <Stop channel={channel} verb="drain" />
    <Discard channel={channel} />
  </Group>
);
