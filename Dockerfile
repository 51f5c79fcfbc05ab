# The service alone: compiled code and production dependencies, as an unprivileged user.
# The base is pinned by digest: a newer one is a change to this line. Any base image with Node 24 and npm will do: docker build --build-arg BASE_IMAGE=… .
ARG BASE_IMAGE=node:24-bookworm-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

FROM ${BASE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY openapi ./openapi
COPY docs/glossary.md ./docs/
RUN npm run build

FROM ${BASE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM ${BASE_IMAGE}
ENV NODE_ENV=production
# In a container every address of it is the one that its port is published from.
ENV HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY examples ./examples
RUN mkdir -p node_modules/.cache/compiled && chown 65532:65532 node_modules/.cache/compiled
USER 65532:65532
# All is loaded once, which leaves the compiled code for the starts to come: every user has its own, unreadable to others.
RUN NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled node -e "import('/app/dist/app.js').then(() => import('/app/dist/worker.js'))"
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.js"]
