/** Swagger UI as files: what its plugin would send for each of them, with this service's settings. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify from 'fastify';

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40"><text x="0" y="27" font-family="system-ui, sans-serif" ' +
  'font-size="21" font-weight="600" fill="#fff">crawl-optimizer</text></svg>';

const staticFiles = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static');
/** What the plugin writes for each service. */
const made = ['static/swagger-initializer.js', 'index.html'];
/** What it reads itself, and what none of its pages load. */
const leftOut = /(csp\.json|index\.html|swagger-ui\.js|logo\.svg)$/;

/** Writes its files into the folder; it asks for the document beside them as `json`. */
export async function writeSwaggerUi(folder: string): Promise<void> {
  const server = Fastify();
  await server.register(swagger);
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'crawl-optimizer' },
    logo: { type: 'image/svg+xml', content: logo, href: '/docs', target: '_self' },
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // Colouring long examples took most of the time an operation needs to unfold.
      syntaxHighlight: { activate: false },
    },
  });
  await mkdir(folder, { recursive: true });
  await cp(staticFiles, join(folder, 'static'), { recursive: true, filter: (source) => !leftOut.test(source) });
  for (const file of made) {
    const { statusCode, body } = await server.inject(`/docs/${file.replace('index.html', '')}`);
    if (statusCode !== 200) throw new Error(`Swagger UI gives no ${file}: ${body}`);
    await writeFile(join(folder, file), body);
  }
  await server.close();
}
