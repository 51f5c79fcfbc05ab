/** What each command takes, for completion. */
import { tablesHelp } from '../../tables/command.ts';
import { logOptionWords } from '../log-arguments.ts';
import type { Taken } from './script.ts';

const logs: Taken = { options: logOptionWords };

/** The commands beside the operations. */
export const takenByCommand: Readonly<Record<string, Taken>> = {
  plan: logs,
  import: logs,
  compare: logs,
  pilot: { options: logOptionWords, words: ['start', 'today', 'probes', 'verdict'] },
  verify: { options: ['--operation'] },
  tables: {
    options: [...new Set(tablesHelp.match(/--[a-z][a-z-]+/g) ?? [])],
    words: ['rates', 'price', 'plan', 'sql', 'functions'],
  },
  serve: { options: ['--host', '--port'] },
  mcp: { options: [] },
  completion: { options: [], words: ['bash', 'zsh', 'fish'] },
};
