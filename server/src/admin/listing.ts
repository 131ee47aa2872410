const batch = 1000;

/** All rows in the order of what names them, some at a time, each page by a key: however many there are, none is read twice. */
export async function* inBatches<Row>(
  nameOf: (row: Row) => string,
  select: (after: string, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await select(after, batch);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = nameOf(last);
  }
}
