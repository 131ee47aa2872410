import { verdictWords as words } from '../../words/developers.ts';

const toHex = (bytes: string) =>
  Array.from(bytes, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

function base64ToHex(text: string): string | undefined {
  try {
    return toHex(atob(text));
  } catch {
    return undefined;
  }
}

export type Verdict = { matches: boolean; text: string };

export function judgeSignature(signature: string, other: string): Verdict {
  const given = other.trim();
  if (given === signature) return { matches: true, text: words.match };
  const says = (text: string) => ({ matches: false, text });
  if (given.toLowerCase() === signature) return says(words.upperCase);
  if (base64ToHex(given) === signature) return says(words.base64);
  if (!/^[0-9a-f]{64}$/i.test(given)) return says(words.notHex);
  return says(words.differ);
}

export type ComparedText = {
  /** Of each line of ours, what stands there instead; undefined where both agree. */
  differences: readonly (string | undefined)[];
  verdict: Verdict;
};

/** Line by line. Text out of JSON, where a line feed is written as \n, is understood. */
export function compareText(lines: readonly string[], other: string): ComparedText {
  const isEscaped = !other.includes('\n') && other.includes('\\n');
  const theirs = other.split(isEscaped ? '\\n' : '\n');
  const differences = lines.map((line, at) =>
    theirs[at] === line ? undefined : (theirs[at] ?? words.noLine),
  );
  const wrong = differences.flatMap((difference, at) => (difference === undefined ? [] : [at + 1]));
  const note = isEscaped ? words.escaped : '';
  if (wrong.length > 0) {
    const which = wrong.length === 1 ? words.lineDiffers(wrong[0] ?? 0) : words.linesDiffer(wrong.join(', '));
    return { differences, verdict: { matches: false, text: `${which}${note}` } };
  }
  if (theirs.length > lines.length)
    return {
      differences,
      verdict: {
        matches: false,
        text: words.more,
      },
    };
  return { differences, verdict: { matches: true, text: `${words.allMatch}${note}` } };
}
