/** Entry of the process that starts worker processes. */
import { serveNursery } from './dispatch/start/serve-nursery.ts';

serveNursery();
