/** `serve`: the HTTP service, by the variables of the environment. */
import { describeConfiguration } from '../../config.ts';
import { exitCodes, UsageError } from '../failures.ts';
import { readOptions, textOption } from '../options.ts';

const options = {
  host: textOption('<address>', 'address to listen on; before HOST'),
  port: textOption('<n>', 'port to listen on; before PORT'),
} as const;

export const serveCommand = (start: () => Promise<unknown>) => ({
  help: {
    usage: 'serve [--host H] [--port P]',
    description: 'The HTTP service, until SIGTERM or SIGINT, by these options and by variables of the environment.',
    example: 'serve --port 8080',
    options,
    variables: describeConfiguration().map(({ name }) => name),
    page: 'docs/configuration.md',
  },
  run: async (words: readonly string[]): Promise<number> => {
    const { values, positionals } = readOptions(words, options);
    if (positionals.length > 0) throw new UsageError(`serve takes no ${JSON.stringify(positionals[0])}`);
    if (values.host !== undefined) process.env.HOST = values.host;
    if (values.port !== undefined) process.env.PORT = values.port;
    await start();
    return exitCodes.answered;
  },
});
