import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { servedCollections } from '../server/test/support/served-collections.ts';
import { fileNameOf, statementsFolder, statementsOf } from './statements.ts';

rmSync(statementsFolder, { recursive: true, force: true });
mkdirSync(statementsFolder);
for (const { name, declared } of await servedCollections())
  writeFileSync(new URL(fileNameOf(name), statementsFolder), statementsOf(name, declared));
