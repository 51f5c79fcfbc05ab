/** Entry of a worker thread: runs tasks with the operations of this service. */
import { runTask, transferred, type WorkerTask } from './dispatch/worker-task.ts';
import { operations } from './operations/index.ts';

// piscina asks for a default export: the function it calls with each task.
export default function work(task: WorkerTask): object {
  return transferred(runTask(task, operations));
}
