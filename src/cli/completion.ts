/** Completion for bash and zsh: a script that knows the commands, the operations and the options. */

export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

const commands = ['plan', 'import', 'tables', 'serve', 'mcp', 'completion', 'help'];

interface CompletionWords {
  readonly operations: readonly string[];
  readonly options: readonly string[];
  readonly formats: readonly string[];
}

const bash = ({ operations, options, formats }: CompletionWords): string => `# crawl-optimizer: completion for bash
# source <(crawl-optimizer completion bash)
_crawl_optimizer() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [[ "$before" == --format ]]; then
    COMPREPLY=($(compgen -W "${formats.join(' ')}" -- "$word"))
  elif [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "${options.join(' ')}" -- "$word"))
  elif [[ "$before" == completion ]]; then
    COMPREPLY=($(compgen -W "${shells.join(' ')}" -- "$word"))
  elif [[ "$COMP_CWORD" -eq 1 || "$before" == help ]]; then
    COMPREPLY=($(compgen -W "${[...commands, ...operations].join(' ')}" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _crawl_optimizer crawl-optimizer
`;

const zsh = ({ operations, options, formats }: CompletionWords): string => `#compdef crawl-optimizer
# crawl-optimizer completion zsh > "\${fpath[1]}/_crawl-optimizer"
_crawl_optimizer() {
  if [[ "\${words[CURRENT-1]}" == --format ]]; then
    compadd ${formats.join(' ')}
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- ${options.join(' ')}
  elif [[ "\${words[CURRENT-1]}" == completion ]]; then
    compadd ${shells.join(' ')}
  elif (( CURRENT == 2 )) || [[ "\${words[CURRENT-1]}" == help ]]; then
    compadd ${[...commands, ...operations].join(' ')}
  else
    _files
  fi
}
compdef _crawl_optimizer crawl-optimizer
`;

/** The script of a shell. */
export const completionScript = (shell: Shell, words: CompletionWords): string =>
  shell === 'bash' ? bash(words) : zsh(words);
