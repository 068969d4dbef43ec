import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorOf } from '../api/client';
import { useWords } from '../words/language';

interface AnswerProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What the API answered, or why there is none. What was there before stays, and above it why there is nothing newer. */
export function Answer<T>({ query, children }: AnswerProps<T>) {
  const t = useWords();
  const { data, error, refetch } = query;
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />;
  if (data !== undefined)
    return (
      <>
        {failure}
        {children(data)}
      </>
    );
  return failure ?? <Loader role="status" aria-label={t('loading')} />;
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
        <Text size="sm" className="words">
          {error instanceof Error ? error.message : String(error)}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('reload')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
