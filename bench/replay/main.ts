/** `node bench/replay/main.ts …`: pages that change, or with `--events` feeds with their entries. */
if (process.argv.includes('--events')) await import('./feeds/run.ts');
else await import('./run.ts');
