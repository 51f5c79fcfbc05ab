/** Request and answer of `simulations/pages`. */
export { simulationsPagesSentence, simulationsPagesSolution } from './answer.ts';
export { simulationsPagesLimits } from './limits.ts';
export { simulationsPagesRequest } from './request.ts';
