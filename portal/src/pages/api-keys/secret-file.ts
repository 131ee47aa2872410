type ShownKey = { apiKeyId: string; secret: string };

/** Under the names that the examples and the command line read. */
const textOf = ({ apiKeyId, secret }: ShownKey) => `PORTICO_KEY_ID=${apiKeyId}\nPORTICO_SECRET=${secret}\n`;

/** Saves id and secret as a file that is made here and sent nowhere. */
export function downloadSecret(key: ShownKey): void {
  const url = URL.createObjectURL(new Blob([textOf(key)], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${key.apiKeyId}.env`;
  link.click();
  URL.revokeObjectURL(url);
}
