import { writeFileSync } from 'node:fs';
import { currenciesFile, currenciesText } from './currencies.ts';

writeFileSync(currenciesFile, currenciesText());
