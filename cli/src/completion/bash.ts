import { cases, groupsIn, optionsByValue, type Place, quoted, type Value } from './words.ts';

const reply = (words: readonly string[]) =>
  `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`;

function actionOf(value: Value): string {
  if (value === 'unknown') return 'return';
  // A name may hold spaces.
  const files = `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return`;
  return value === 'file' ? files : `${reply(value.words)}; return`;
}

export function bashCompletion(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const values = [...optionsByValue(places).values()].map(
    ({ value, patterns }) => [patterns, actionOf(value)] as const,
  );
  const next = places.map(
    ({ path, next, options }) =>
      [[path], reply([...next.map(({ text }) => text), ...options.map(({ name }) => `--${name}`)])] as const,
  );
  return `# portico for bash: eval "$(portico completion bash)"
_portico() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' longer at
  for ((at = 1; at < COMP_CWORD; at++)); do
    longer="\${command:+$command }\${COMP_WORDS[at]}"
    case "$longer" in
${cases([[paths, 'command=$longer']])}
    (*) break ;;
    esac
  done
  if ((at < COMP_CWORD)); then
    case "$command" in
${cases([[groupsIn(places), 'return']])}
    esac
  fi
  COMPREPLY=()
  case "$command \${COMP_WORDS[COMP_CWORD - 1]}" in
${cases(values)}
  esac
  case "$command" in
${cases(next)}
  esac
}
complete -F _portico portico`;
}
