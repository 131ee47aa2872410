import { Type } from 'typebox';
import { reader } from '../../contract/validate.ts';
import { Named } from '../fields.ts';
import type { Desk } from '../operator.ts';
import { files } from './files.ts';
import { type ImportListener, type ImportReport, importLines } from './import.ts';
import type { Kind } from './kind.ts';
import { transfers } from './transfers.ts';

const read = reader(Type.Object({ workspace: Named }));

type Import = (
  given: object,
) => (desk: Desk, source: AsyncIterable<Uint8Array>, on: ImportListener) => Promise<ImportReport>;

const importOf =
  (kind: Kind): Import =>
  (given) => {
    const { workspace } = read(given);
    return (desk, source, on) => importLines(kind, desk, { workspace, source }, on);
  };

/** All that can be brought in from elsewhere, by name. */
export const imports = { transfers: importOf(transfers), files: importOf(files) };

export type ImportName = keyof typeof imports;
