import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorOf, type ApiError } from '../api/client';
import { useLanguage, useWords } from '../words/language';
import { Said } from './said';

interface AnswerProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What the API answered, or why there is none. What was there before stays, and above it why there is nothing newer. */
export function Answer<T>({ query, children }: AnswerProps<T>) {
  const t = useWords();
  const { data, error, refetch, isPlaceholderData } = query;
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />;
  const loader = <Loader role="status" aria-label={t('loading')} />;
  if (data !== undefined)
    return (
      <>
        {failure}
        {/* What stands below it is of what was asked for before. */}
        {isPlaceholderData && loader}
        {children(data)}
      </>
    );
  return failure ?? loader;
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  const t = useWords();
  if (error === null || error === undefined) return null;
  const known = errorOf(error);
  const title = known?.status === 403 ? t('forbidden') : t('failed');
  return (
    <Alert color="red" variant="outline" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        {known && <Certainty of={known} />}
        {known ? (
          <Wrongs of={known} />
        ) : (
          <Text size="sm" className="words">
            {error instanceof Error ? error.message : String(error)}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('reload')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** What the words of an error leave open. */
function Certainty({ of: { isAnswer, isUnclear } }: { readonly of: ApiError }) {
  const t = useWords();
  return (
    <>
      {!isAnswer && <Text size="sm">{t('noAnswer')}</Text>}
      {isUnclear && <Text size="sm">{t('mayBeDone')}</Text>}
    </>
  );
}

/** In the words of the API; what its code means comes first where these are not known in the language of the page. */
function Wrongs({ of: { code, wrongs } }: { readonly of: ApiError }) {
  const { say, meaningOf } = useLanguage();
  const isForeign = wrongs.some(({ message }) => say(message) === message);
  const meaning = code === undefined || !isForeign ? undefined : meaningOf(code);
  return (
    <>
      {meaning !== undefined && <Text size="sm">{meaning}</Text>}
      {wrongs.map(({ path, message }) => (
        <Text key={`${path} ${message}`} size="sm" className="words">
          {path !== '' && `${path}: `}
          <Said text={message} />
        </Text>
      ))}
    </>
  );
}
