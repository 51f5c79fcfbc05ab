/** The module that a worker process runs: sources beside sources, compiled beside compiled. */
export const workerFile = new URL(`./worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
