import { keyFormWords } from '../../words/api-keys.tsx';

const octet = /^(0|[1-9][0-9]{0,2})$/;
const prefix = /^(0|[1-9][0-9]{0,2})$/;

const networksMax = 100;

function isIPv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((each) => octet.test(each) && Number(each) <= 255);
}

/** Without a zone. */
function isIPv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/** An address or a CIDR block, by the rules of the service. */
export function isNetwork(text: string): boolean {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  const width = isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined;
  if (width === undefined) return false;
  const digits = text.slice(slash + 1);
  return slash === -1 || (prefix.test(digits) && Number(digits) <= width);
}

export type Networks = {
  /** What the lines name; empty lines are left out. */
  entries: string[];
  /** A sentence for each line that is wrong. */
  problems: string[];
};

/** A text with an address or block on each line. */
export function readNetworks(text: string): Networks {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, entry: line.trim() }));
  const filled = lines.filter(({ entry }) => entry !== '');
  const problems = filled
    .filter(({ entry }) => !isNetwork(entry))
    .map(({ number, entry }) => keyFormWords.addressWrong(number, entry));
  if (filled.length > networksMax) problems.push(keyFormWords.addressesMany(networksMax, filled.length));
  return { entries: filled.map(({ entry }) => entry), problems };
}
