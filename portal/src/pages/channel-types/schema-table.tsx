import { Box, Code, Text } from '@mantine/core';
import { schemaWords } from '../../words/channel-types.ts';
import type { Constraint } from './schema/constraints.ts';
import { maxRows, type SchemaRow, schemaRows } from './schema/rows.ts';
import classes from './schema-table.module.css';

export function Constraints({ rules }: { rules: readonly Constraint[] }) {
  return (
    <ul className={classes['rules']}>
      {rules.map(({ words, codes = [] }) => (
        <li key={`${words} ${codes.join()}`}>
          {words}
          {[...new Set(codes)].map((code) => (
            <Code key={code} className={classes['value'] ?? ''}>
              {code === '' ? '""' : code}
            </Code>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Need({ isRequired }: Pick<SchemaRow, 'isRequired'>) {
  if (isRequired === undefined) return null;
  return isRequired ? (
    <span className={classes['required']}>{schemaWords.required}</span>
  ) : (
    <span className={classes['optional']}>{schemaWords.optional}</span>
  );
}

function Row({ row, isTold }: { row: SchemaRow; isTold: boolean }) {
  return (
    <tr data-depth={Math.min(row.depth, 3)}>
      <th scope="row">{row.name}</th>
      <td>{row.type}</td>
      <td>
        <Need isRequired={row.isRequired} />
      </td>
      <td>
        {row.constraints.length === 0 ? (
          <span className={classes['none']}>{schemaWords.noConstraints}</span>
        ) : (
          <Constraints rules={row.constraints} />
        )}
      </td>
      {isTold ? <td>{row.description}</td> : null}
    </tr>
  );
}

/** A JSON Schema for people: a row for each setting and each part of it. */
export function SchemaTable({ schema, label }: { schema: unknown; label: string }) {
  const rows = schemaRows(schema);
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {schemaWords.noSettings}
      </Text>
    );
  const isTold = rows.some(({ description }) => description !== undefined);
  const { property, type, need, constraints, description: told } = schemaWords;
  const headers = [property, type, need, constraints, ...(isTold ? [told] : [])];
  return (
    <Box className={classes['scroll'] ?? ''} role="region" aria-label={label} tabIndex={0}>
      <table className={classes['table']}>
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives may have parts of the same name
            <Row key={index} row={row} isTold={isTold} />
          ))}
        </tbody>
      </table>
      {rows.length < maxRows ? null : (
        <Text size="sm" c="dimmed" p="sm">
          {schemaWords.firstRows(maxRows)}
        </Text>
      )}
    </Box>
  );
}
