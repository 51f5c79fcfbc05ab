/** Worker of the service's own tests: knows the faulty operations too. */
import { serveTasks } from '../../src/dispatch/serve-tasks.ts';
import { operations } from '../../src/operations/index.ts';
import { faultyOperations } from './faulty-operations.ts';

serveTasks([...operations, ...faultyOperations]);
