/** Nothing that a header, a list of addresses or a reader's eye could take for something else. */
const part = String.raw`[^\s\p{C}<>()\[\]\\,;:@"]`;
const address = new RegExp(`^${part}{1,64}@${part}+$`, 'u');
const lengthMax = 254;

/** Whether a text is an address that mail can be sent to: no quotes, comments, names, lists or invisible characters. */
export function isMailAddress(text: string): boolean {
  return text.length <= lengthMax && address.test(text);
}
