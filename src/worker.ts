/** Entry of a worker process: runs tasks with the operations of this service. */
import { serveTasks } from './dispatch/serve-tasks.ts';
import { operations } from './operations/index.ts';

serveTasks(operations);
