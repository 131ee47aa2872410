export function printWelcome(url: string): void {
  process.stdout.write(`${url}\n`);
}
