#!/usr/bin/env node
/** Entry of the command line. */
import { keepCompiledCode } from './compile-cache.ts';

keepCompiledCode();
await import('./command-line.ts');
