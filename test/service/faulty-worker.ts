/** Worker of the service's own tests: knows the faulty operations too. */
import { runTask, transferred, type WorkerTask } from '../../src/dispatch/worker-task.ts';
import { operations } from '../../src/operations/index.ts';
import { faultyOperations } from './faulty-operations.ts';

// piscina asks for a default export.
export default function work(task: WorkerTask): object {
  return transferred(runTask(task, [...operations, ...faultyOperations]));
}
