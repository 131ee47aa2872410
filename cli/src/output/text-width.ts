const graphemes = new Intl.Segmenter();
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const segments = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);
const segmentWidth = (segment: string): number => (wide.test(segment) ? 2 : 1);

/** Cells that a terminal uses for a text. */
export function textWidth(text: string): number {
  return segments(text).reduce((sum, segment) => sum + segmentWidth(segment), 0);
}

export function shorten(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 1; // the ellipsis
  for (const segment of segments(text)) {
    used += segmentWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, width: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return side === 'left' ? text + space : space + text;
}
