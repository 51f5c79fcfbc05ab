/** Entry of a worker's other thread: the parts of solvers that it can do, which is all that it loads. */
import { boundAside } from '../../solvers/crawl-plan/bounds/interval-bound.ts';
import { filterAside } from '../../solvers/estimation/changes/filter-histories.ts';
import { serveAsides } from './serve-asides.ts';

serveAsides([filterAside, boundAside]);
