/** Worker of the service's own tests: knows the faulty operations too. */
import { loadOperation } from '../../src/operations/load.ts';
import { serveTasks } from '../../src/workers/worker.ts';
import { faultyOperations } from './faulty-operations.ts';

serveTasks(async (name) => faultyOperations.find((each) => each.name === name) ?? loadOperation(name));
