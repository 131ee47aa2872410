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
  if (given === signature) return { matches: true, text: 'The signatures match.' };
  const says = (text: string) => ({ matches: false, text });
  if (given.toLowerCase() === signature)
    return says('The right signature, but in upper case: send lower case.');
  if (base64ToHex(given) === signature) return says('The right signature, but in Base64: send hexadecimal.');
  if (!/^[0-9a-f]{64}$/i.test(given))
    return says('The signatures differ: this one is not of 64 hexadecimal digits.');
  return says('The signatures differ: another secret, or another string to sign.');
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
    theirs[at] === line ? undefined : (theirs[at] ?? 'no such line'),
  );
  const wrong = differences.flatMap((difference, at) => (difference === undefined ? [] : [at + 1]));
  const note = isEscaped
    ? ' Its lines are joined by a backslash and an n: right in JSON, wrong in a signature.'
    : '';
  if (wrong.length > 0) {
    const which = wrong.length === 1 ? `Line ${wrong[0]} differs.` : `Lines ${wrong.join(', ')} differ.`;
    return { differences, verdict: { matches: false, text: `${which}${note}` } };
  }
  if (theirs.length > lines.length)
    return {
      differences,
      verdict: {
        matches: false,
        text: 'There is more after line 8: nothing follows it, not even a line feed.',
      },
    };
  return { differences, verdict: { matches: true, text: `All eight lines match.${note}` } };
}
