/** Entry of a worker process: runs tasks with the operations of this service. */
import { loadOperation } from './operations/load.ts';
import { serveTasks } from './workers/worker.ts';

serveTasks(loadOperation);
