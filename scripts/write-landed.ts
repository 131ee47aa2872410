import { readFileSync, writeFileSync } from 'node:fs';
import { compareLanded, landedFile, lineOf, readPieces } from './landed.ts';

const text = readFileSync(landedFile, 'utf8');
const { faults, lacking } = compareLanded(text, await readPieces());
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
writeFileSync(landedFile, text + lacking.map(lineOf).join(''));
