/**
 * OpenTelemetry traces, only when an endpoint is configured: nothing of it is loaded otherwise. Its packages are not
 * installed with it. Where they are missing, the service starts without traces and says in one line of its log what to
 * install.
 */
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { version } from '../version.ts';

const tracingPackages = [
  '@fastify/otel',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
];

/** Loads what tracing needs, or says which package is not installed. */
async function loadOpenTelemetry() {
  try {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel');
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { resourceFromAttributes } = await import('@opentelemetry/resources');
    const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
    return {
      FastifyOtelInstrumentation,
      OTLPTraceExporter,
      resourceFromAttributes,
      BatchSpanProcessor,
      NodeTracerProvider,
    };
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code');
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    return { missing: /package '([^']+)'|module '([^']+)'/.exec(String(error))?.slice(1).find(Boolean) ?? 'a package' };
  }
}

/** Starts tracing; must come before the routes. The exporter is flushed when the service closes. */
export const tracing = fp<{ readonly config: Config }>(
  async (app, { config }) => {
    if (config.otlpEndpoint === '') return;
    const loaded = await loadOpenTelemetry();
    if ('missing' in loaded) {
      app.log.warn(
        `no traces will be sent to ${new URL(config.otlpEndpoint).origin}: ${loaded.missing} is not installed; ` +
          `npm install ${tracingPackages.join(' ')}`,
      );
      return;
    }
    const url = `${config.otlpEndpoint.replace(/\/$/, '')}/v1/traces`;
    const provider = new loaded.NodeTracerProvider({
      resource: loaded.resourceFromAttributes({ 'service.name': 'crawl-optimizer', 'service.version': version }),
      spanProcessors: [new loaded.BatchSpanProcessor(new loaded.OTLPTraceExporter({ url }))],
    });
    const instrumentation = new loaded.FastifyOtelInstrumentation({
      ignorePaths: ({ url: path }) => path.startsWith('/health') || path.startsWith('/metrics'),
    });
    instrumentation.setTracerProvider(provider);
    await app.register(instrumentation.plugin());
    app.addHook('onClose', async () => {
      instrumentation.disable();
      await provider.shutdown();
    });
  },
  { name: 'tracing' },
);
