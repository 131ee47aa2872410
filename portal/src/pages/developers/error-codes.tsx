import { Skeleton, Table, Text, TextInput } from '@mantine/core';
import type { ErrorEntry } from '@portico/sdk/portal';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../session/portal.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { meaningOf } from '../../ui/error-text.ts';
import { Section } from '../../ui/section.tsx';
import { developersWords } from '../../words/developers.ts';
import { locale } from '../../words/locale.ts';
import classes from './error-codes.module.css';

/** The service describes its errors in English. */
const aboutOf = ({ code, description }: ErrorEntry): string =>
  (locale() === 'en' ? undefined : meaningOf(code)) ?? description;

function matches(entry: ErrorEntry, words: string[]): boolean {
  const { code, alias, httpStatus, name, description } = entry;
  const text = [code, alias, httpStatus, name, description, aboutOf(entry)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function Rows({ errors }: { errors: readonly ErrorEntry[] }) {
  return errors.map((entry) => (
    <Table.Tr key={entry.code}>
      <Table.Td className={classes['code'] ?? ''}>{entry.code}</Table.Td>
      <Table.Td className={classes['status'] ?? ''}>{entry.httpStatus}</Table.Td>
      <Table.Td>
        <span className={classes['name']}>
          {entry.name}
          {entry.alias === undefined ? '' : ` · ${entry.alias}`}
        </span>
        <Text size="sm" c="dimmed">
          {aboutOf(entry)}
        </Text>
      </Table.Td>
    </Table.Tr>
  ));
}

function ErrorTable({ errors }: { errors: readonly ErrorEntry[] | undefined }) {
  if (errors === undefined) return <Skeleton height={480} m="md" width="auto" />;
  if (errors.length === 0)
    return (
      <Text p="lg" c="dimmed" ta="center">
        {developersWords.noError}
      </Text>
    );
  return (
    <Table className={classes['table'] ?? ''} aria-label={developersWords.errorCodes}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{developersWords.code}</Table.Th>
          <Table.Th scope="col">{'HTTP'}</Table.Th>
          <Table.Th scope="col">{developersWords.meaning}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Rows errors={errors} />
      </Table.Tbody>
    </Table>
  );
}

/** The catalogue of errors, as the service has it. */
export function ErrorCodes() {
  const [search, setSearch] = useState('');
  const result = useQuery({
    queryKey: ['errors'],
    queryFn: ({ signal }) => portal.errors({ signal }),
    // It changes with a new version of the service, which brings a new portal.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const words = search.toLowerCase().split(/\s+/);
  return (
    <Section
      title={developersWords.errorCodes}
      description={developersWords.errorCodesAbout}
      actions={
        <TextInput
          className={classes['search'] ?? ''}
          aria-label={developersWords.searchErrors}
          placeholder={developersWords.search}
          type="search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      }
    >
      {result.error === null ? (
        <ErrorTable errors={result.data?.filter((entry) => matches(entry, words))} />
      ) : (
        <div className={classes['error']}>
          <ErrorNotice
            error={result.error}
            onRetry={() => void result.refetch()}
            isRetrying={result.isFetching}
          />
        </div>
      )}
    </Section>
  );
}
