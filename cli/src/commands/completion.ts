import { type Command, defineCommand } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { placesOf } from '../completion/words.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { wrongUsage } from '../failure.ts';
import { print } from '../output/terminal.ts';

const shells: Readonly<Record<string, typeof bashCompletion>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Of the commands there are, itself among them. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    summary: 'print what lets a shell complete commands and options',
    positionals: ['bash|zsh|fish'],
    options: {},
    notes: `In bash: eval "$(portico completion bash)" in ~/.bashrc. In zsh: the same with zsh, after compinit in ~/.zshrc. In fish: into
~/.config/fish/completions/portico.fish. Print it anew after an update.`,
    examples: [
      'portico completion bash >> ~/.bashrc',
      'portico completion zsh > ~/.zfunc/_portico',
      'portico completion fish > ~/.config/fish/completions/portico.fish',
    ],
    async run({ positionals: [shell = ''] }) {
      const complete = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (complete === undefined) throw wrongUsage('there is completion for bash, zsh and fish');
      print(complete(placesOf(commands())));
    },
  });
}
