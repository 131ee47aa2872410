import { saveFile } from '../../ui/save-file.ts';

type ShownKey = { apiKeyId: string; secret: string };

/** Under the names that the examples and the command line read. */
const textOf = ({ apiKeyId, secret }: ShownKey) => `PORTICO_KEY_ID=${apiKeyId}\nPORTICO_SECRET=${secret}\n`;

export function downloadSecret(key: ShownKey): void {
  saveFile(`${key.apiKeyId}.env`, textOf(key));
}
