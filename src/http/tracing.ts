/** OpenTelemetry traces, only when an endpoint is configured: nothing of it is loaded otherwise. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { version } from '../version.ts';

/** Starts tracing; must come before the routes. The exporter is flushed when the service closes. */
export async function trace(app: FastifyInstance, config: Config): Promise<void> {
  if (config.otlpEndpoint === '') return;
  const { FastifyOtelInstrumentation } = await import('@fastify/otel');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const url = `${config.otlpEndpoint.replace(/\/$/, '')}/v1/traces`;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'crawl-optimizer', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const instrumentation = new FastifyOtelInstrumentation({
    ignorePaths: ({ url: path }) => path.startsWith('/health') || path.startsWith('/metrics'),
  });
  instrumentation.setTracerProvider(provider);
  await app.register(instrumentation.plugin());
  app.addHook('onClose', async () => {
    instrumentation.disable();
    await provider.shutdown();
  });
}
