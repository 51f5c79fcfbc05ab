/** Completion for bash, zsh and fish: a script that knows the commands, the operations, and what each of them takes. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What may follow a command; files where there are no words. */
export interface Taken {
  readonly options: readonly string[];
  readonly words?: readonly string[];
}

interface CompletionWords {
  /** Commands with what each takes, the operations apart. */
  readonly commands: Readonly<Record<string, Taken>>;
  readonly operations: readonly string[];
  readonly options: readonly string[];
  readonly formats: readonly string[];
}

const subjects = ({ commands, operations }: CompletionWords): string =>
  [...Object.keys(commands), 'help', ...operations].join(' ');

/** A `case` of the shell that sets `options` and `words` by the command. */
const byCommand = ({ commands, options }: CompletionWords): string =>
  [
    ...Object.entries(commands).map(
      ([name, taken]) =>
        `    ${name}) options="${taken.options.join(' ')}"; words="${(taken.words ?? []).join(' ')}" ;;`,
    ),
    `    *) options="${options.join(' ')}"; words="" ;;`,
  ].join('\n');

const bash = (known: CompletionWords): string => `# crawl-optimizer: completion for bash
# source <(crawl-optimizer completion bash)
_crawl_optimizer() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options words
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${byCommand(known)}
  esac
  if [[ "$COMP_CWORD" -eq 1 || "$before" == help ]]; then
    COMPREPLY=($(compgen -W "${subjects(known)}" -- "$word"))
  elif [[ "$before" == --format && " $options " == *" --strict "* ]]; then
    COMPREPLY=($(compgen -W "${known.formats.join(' ')}" -- "$word"))
  elif [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n "$words" && "$COMP_CWORD" -eq 2 ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _crawl_optimizer crawl-optimizer
`;

const zsh = (known: CompletionWords): string => `#compdef crawl-optimizer
# crawl-optimizer completion zsh > "\${fpath[1]}/_crawl-optimizer"
_crawl_optimizer() {
  local options words_of before="\${words[CURRENT-1]}" word="\${words[CURRENT]}"
  case "\${words[2]}" in
${byCommand(known).replaceAll('; words=', '; words_of=')}
  esac
  if (( CURRENT == 2 )) || [[ "$before" == help ]]; then
    compadd ${subjects(known)}
  elif [[ "$before" == --format && " $options " == *" --strict "* ]]; then
    compadd ${known.formats.join(' ')}
  elif [[ "$word" == -* ]]; then
    compadd -- \${=options}
  elif [[ -n "$words_of" ]] && (( CURRENT == 3 )); then
    compadd \${=words_of}
  else
    _files
  fi
}
compdef _crawl_optimizer crawl-optimizer
`;

const fish = (known: CompletionWords): string => {
  const { commands, operations, options, formats } = known;
  const seen = '__fish_seen_subcommand_from';
  const long = (names: readonly string[]): string[] => names.map((name) => `-l ${name.replace(/^--/, '')}`);
  return [
    '# crawl-optimizer: completion for fish',
    '# crawl-optimizer completion fish > ~/.config/fish/completions/crawl-optimizer.fish',
    `complete -c crawl-optimizer -n __fish_use_subcommand -f -a "${subjects(known)}"`,
    `complete -c crawl-optimizer -n "${seen} help" -f -a "${subjects(known)}"`,
    ...Object.entries(commands).flatMap(([name, taken]) => [
      ...long(taken.options).map((option) => `complete -c crawl-optimizer -n "${seen} ${name}" ${option}`),
      ...(taken.words === undefined
        ? []
        : [`complete -c crawl-optimizer -n "${seen} ${name}" -f -a "${taken.words.join(' ')}"`]),
    ]),
    ...long(options).map((option) => {
      const values = option === '-l format' ? ` -x -a "${formats.join(' ')}"` : '';
      return `complete -c crawl-optimizer -n "${seen} ${operations.join(' ')}" ${option}${values}`;
    }),
    '',
  ].join('\n');
};

const scripts = { bash, zsh, fish };

export const completionScript = (shell: Shell, words: CompletionWords): string => scripts[shell](words);
