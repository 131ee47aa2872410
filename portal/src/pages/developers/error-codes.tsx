import { Skeleton, Table, Text, TextInput } from '@mantine/core';
import type { ErrorEntry } from '@portico/sdk/portal';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../session/portal.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './error-codes.module.css';

function matches({ code, alias, httpStatus, name, description }: ErrorEntry, words: string[]): boolean {
  const text = [code, alias, httpStatus, name, description].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function Rows({ errors }: { errors: readonly ErrorEntry[] }) {
  return errors.map(({ code, alias, httpStatus, name, description }) => (
    <Table.Tr key={code}>
      <Table.Td className={classes['code'] ?? ''}>{code}</Table.Td>
      <Table.Td className={classes['status'] ?? ''}>{httpStatus}</Table.Td>
      <Table.Td>
        <span className={classes['name']}>
          {name}
          {alias === undefined ? '' : ` · ${alias}`}
        </span>
        <Text size="sm" c="dimmed">
          {description}
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
        No error has these words.
      </Text>
    );
  return (
    <Table className={classes['table'] ?? ''} aria-label="Error codes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Code</Table.Th>
          <Table.Th scope="col">HTTP</Table.Th>
          <Table.Th scope="col">Meaning</Table.Th>
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
      title="Error codes"
      description="Everything the service can answer. The code is stable; the message may change."
      actions={
        <TextInput
          className={classes['search'] ?? ''}
          aria-label="Search error codes"
          placeholder="Search"
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
