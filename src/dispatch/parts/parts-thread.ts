/** Entry of a worker's other threads: the parts of solvers that they can do, which is all that they load. */
import { ratesPart } from '../../solvers/estimation/index.ts';
import { serveParts } from './serve-parts.ts';

serveParts([ratesPart]);
