/** The modules that the service's processes run: sources beside sources, compiled beside compiled. */
const entry = (name: string): URL =>
  new URL(`./${name}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export const workerFile = entry('worker');
/** Runs the process that starts workers. */
export const nurseryFile = entry('nursery');
