/** The paths of the pages, and the loading of the sites that serve them when the first visitor comes. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { OpenAPI } from 'openapi-types';
import type { Operation } from '../../operations/operation.ts';
import { problem } from '../../schemas/contract/problem.ts';
import type { Drain } from '../drain.ts';
import { sendProblem } from '../problem-details.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Generates the OpenAPI document of the routes of these operations, which holds up the event loop:
     * `npm run openapi` asks for it.
     */
    openApiDocument(operations: readonly Operation[]): Promise<OpenAPI.Document>;
    /** Loads what serves the pages, and builds them where that has to be done first: no visitor waits for either. */
    preparePages(): Promise<unknown>;
  }
}

interface PagesOptions {
  readonly state: Drain;
}

/** Routes that are registered after this plugin are documented by `openApiDocument`. */
export const pages = fp<PagesOptions>(
  async (app, { state }) => {
    const routes: RouteOptions[] = [];
    app.addHook('onRoute', (route) => {
      if (route.schema?.hide !== true && route.method !== 'HEAD') routes.push(route);
    });
    const requestIds = new WeakMap<IncomingMessage, string>();
    const parts = { logger: app.log, requestId: (request: IncomingMessage) => requestIds.get(request) ?? '' };
    const documents = new Once(async () => {
      const { documentsSite } = await import('./documents.ts');
      return documentsSite(parts);
    });
    const console = new Once(async () => {
      const { consoleSite } = await import('./console.ts');
      return consoleSite(parts);
    });
    app.decorate('openApiDocument', async (operations) => {
      const { generateDocument } = await import('./generate-document.ts');
      return generateDocument(routes, operations);
    });
    app.decorate('preparePages', () => Promise.all([documents.get(), console.get()]));
    app.addHook('onClose', async () => {
      for (const site of [documents, console]) if (site.started) await (await site.get()).close();
    });

    const serve = (paths: readonly string[], site: Once<FastifyInstance>, failure: string): void => {
      for (const path of paths) app.get(path, { schema: { hide: true } }, handler(site, failure));
    };
    const handler = (site: Once<FastifyInstance>, failure: string) => {
      return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        let ready: FastifyInstance;
        try {
          ready = await site.get();
        } catch (error) {
          request.log.error({ requestId: request.id, err: error }, failure);
          return sendProblem(reply, problem('internal', failure));
        }
        requestIds.set(request.raw, request.id);
        if (state.draining) reply.raw.setHeader('connection', 'close');
        reply.hijack();
        ready.routing(request.raw, reply.raw);
        return reply;
      };
    };
    serve(
      ['/openapi.json', '/docs', '/docs/*'],
      documents,
      'the documents have not been built: npm run build builds them',
    );
    serve(['/console', '/console/*'], console, 'the console has not been built: npm run build builds it');
  },
  { name: 'pages', dependencies: ['problem-details'] },
);

/** What `make` gives, made when it is first asked for; after a failure the next caller tries again. */
class Once<Value> {
  readonly #make: () => Promise<Value>;
  #made: Promise<Value> | undefined;

  constructor(make: () => Promise<Value>) {
    this.#make = make;
  }

  get started(): boolean {
    return this.#made !== undefined;
  }

  get(): Promise<Value> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }
}
