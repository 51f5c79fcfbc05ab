/** Entry of the service. */
import { keepCompiledCode } from './compile-cache.ts';

keepCompiledCode();
// Only what is imported from here on is kept; the workers find the folder in their environment.
await import('./start.ts');
