import { cases, groupsIn, optionsByValue, type Place, quoted, type Value, type Word } from './words.ts';

/** A colon parts a word from its description. */
const entry = ({ text, about }: Word) => quoted(`${text.replaceAll(':', '\\:')}:${about}`);

function actionOf(value: Value): string {
  if (value === 'unknown') return "_message 'value'; return";
  if (value === 'file') return '_files; return';
  return `next=(${value.words.map(quoted).join(' ')}); _describe value next; return`;
}

export function zshCompletion(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const values = [...optionsByValue(places).values()].map(
    ({ value, patterns }) => [patterns, actionOf(value)] as const,
  );
  const next = places.map(({ path, next, options }) => {
    const dashed = options.map(({ name, about }) => entry({ text: `--${name}`, about }));
    return [[path], `next=(${next.map(entry).join(' ')}) options=(${dashed.join(' ')})`] as const;
  });
  return `#compdef portico
# portico for zsh: portico completion zsh > "\${fpath[1]}/_portico", or after compinit eval "$(portico completion zsh)"
_portico() {
  local command='' longer
  local -a next options
  integer at
  for ((at = 2; at < CURRENT; at++)); do
    longer="\${command:+$command }\${words[at]}"
    case "$longer" in
${cases([[paths, 'command=$longer']])}
    (*) break ;;
    esac
  done
  if ((at < CURRENT)); then
    case "$command" in
${cases([[groupsIn(places), 'return']])}
    esac
  fi
  case "$command \${words[CURRENT - 1]}" in
${cases(values)}
  esac
  case "$command" in
${cases(next)}
  esac
  _describe word next
  _describe -o option options
}
if [[ "$funcstack[1]" == _portico ]]; then _portico "$@"; else compdef _portico portico; fi`;
}
