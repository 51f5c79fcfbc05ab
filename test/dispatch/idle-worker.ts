/** A worker that knows no operation: quick to start. */
import { serveTasks } from '../../src/dispatch/serve-tasks.ts';

serveTasks([]);
