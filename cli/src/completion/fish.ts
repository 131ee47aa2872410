import { groupsIn, type Place, type Value } from './words.ts';

/** Between quotes fish knows two escapes. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function argument(value: Value | undefined): string {
  if (value === undefined) return '';
  if (value === 'unknown') return ' -x';
  return value === 'file' ? ' -r -F' : ` -x -a ${quoted(value.words.join(' '))}`;
}

function linesOf({ path, next, options }: Place): string[] {
  const start = `complete -c portico -n ${quoted(`__portico_at ${quoted(path)}`)}`;
  return [
    ...next.map(({ text, about }) => `${start} -a ${quoted(text)} -d ${quoted(about)}`),
    ...options.map(({ name, about, value }) => `${start} -l ${name}${argument(value)} -d ${quoted(about)}`),
  ];
}

export function fishCompletion(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  return `# portico for fish: portico completion fish > ~/.config/fish/completions/portico.fish
function __portico_at
  set -l command
  for word in (commandline -opc)[2..-1]
    set -l longer (string join ' ' -- $command $word)
    if contains -- $longer ${paths.map(quoted).join(' ')}
      set command $longer
    else if contains -- "$command" ${groupsIn(places).map(quoted).join(' ')}
      return 1
    else
      break
    end
  end
  test "$command" = "$argv[1]"
end
complete -c portico -f
${places.flatMap(linesOf).join('\n')}`;
}
