import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { formatCount } from '../ui/format.ts';
import { csvWords } from '../words/list.ts';
import classes from './list-tools.module.css';
import { type CsvState, useCsv } from './use-csv.ts';

type Running = Extract<CsvState, { is: 'running' }>;

function Progress({ state: { rows, total, isWaiting }, cancel }: { state: Running; cancel(): void }) {
  return (
    <Group gap={8} wrap="nowrap">
      <progress
        className={classes['progress']}
        aria-label={csvWords.started}
        {...(total === 0 ? {} : { value: rows, max: total })}
      />
      <Text size="sm" className={classes['count'] ?? ''}>
        {isWaiting ? csvWords.waits : csvWords.progress(formatCount(rows), formatCount(total))}
      </Text>
      <Button variant="default" onClick={cancel}>
        {csvWords.cancel}
      </Button>
    </Group>
  );
}

function saidOf(state: CsvState): string {
  if (state.is === 'running') return csvWords.started;
  if (state.is === 'done') return csvWords.saved(state.rows, formatCount(state.rows));
  return state.is === 'cancelled' ? csvWords.cancelled : '';
}

/** All rows that the filters leave, as a file. */
export function CsvButton({ start }: { start(begin: ReturnType<typeof useCsv>['start']): void }) {
  const { state, start: begin, cancel } = useCsv();
  const said = saidOf(state);
  return (
    <>
      {state.is === 'failed' ? <ErrorNotice error={state.error} title={csvWords.failed} /> : null}
      {state.is === 'running' ? (
        <Progress state={state} cancel={cancel} />
      ) : (
        <>
          {said === '' ? null : (
            <Text size="sm" c="dimmed" aria-hidden>
              {said}
            </Text>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            title={csvWords.meaning}
            onClick={() => start(begin)}
          >
            {csvWords.button}
          </Button>
        </>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}
