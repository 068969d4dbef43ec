import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, ask } from '../api/client';
import { useWays } from '../api/session';
import { useWords } from '../words/language';
import { Failure } from './answer';

const GOING_BACK_TO = 'pushfleet-before-sign-in';

/** The query that a provider of OpenID Connect sent back; it is used up by being read. */
export function takeAnswer(): string | undefined {
  const query = new URLSearchParams(location.search);
  if (location.pathname !== '/sign-in' || !query.has('state')) return undefined;
  const answer = location.search.slice(1);
  history.replaceState(null, '', sessionStorage.getItem(GOING_BACK_TO) ?? '/');
  sessionStorage.removeItem(GOING_BACK_TO);
  return answer;
}

interface SingleSignOnProps {
  /** What was typed on the page behind stays: the provider gets a tab of its own. */
  readonly inNewTab: boolean;
}

/** Nothing where the console knows no provider. */
export function SingleSignOn({ inNewTab }: SingleSignOnProps) {
  const t = useWords();
  const { data } = useWays();
  const going = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/session/oidc')),
    onSuccess: ({ url }) => {
      if (inNewTab) window.open(url, '_blank', 'noopener');
      else {
        sessionStorage.setItem(GOING_BACK_TO, location.pathname + location.search);
        location.assign(url);
      }
    },
  });
  if (data === undefined || data.oidc === 'off') return null;
  return (
    <Stack gap="xs">
      <Button variant="default" loading={going.isPending} onClick={() => going.mutate()}>
        {t('ssoSignIn')}
      </Button>
      {data.oidc === 'away' && <Text size="sm">{t('ssoAway')}</Text>}
      {inNewTab && (
        <Text size="sm" c="dimmed">
          {t('ssoInTab')}
        </Text>
      )}
      <Failure error={going.error} />
    </Stack>
  );
}
