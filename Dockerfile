# The service as production runs it: what `npm run build` makes, Node, and no shell.

# A tag can be moved. Pin both images by digest for production: docs/guides/production.md, "Build".
ARG NODE_IMAGE=node:24-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot
# `yes` refuses a base image without a digest.
ARG PINNED=no

FROM ${NODE_IMAGE} AS build
ARG NODE_IMAGE
ARG RUNTIME_IMAGE
ARG PINNED
RUN for image in "$NODE_IMAGE" "$RUNTIME_IMAGE"; do case "$PINNED $image" in "no "* | "yes "*@sha256:????????????????????????????????????????????????????????????????) ;; *) echo "PINNED=$PINNED: $image has no digest"; exit 1 ;; esac; done
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# By the image's own Node: the one that npm brings for development is not installed here.
RUN ["node", "scripts/build.ts"]

FROM ${RUNTIME_IMAGE}
WORKDIR /app
COPY --from=build /source/dist ./
# MALLOC_ARENA_MAX: memory that one thread freed is used again by the others.
ENV HOST=0.0.0.0 PORT=3000 MALLOC_ARENA_MAX=2
EXPOSE 3000
# Nothing is written but uploads under way and compiled code, both in /tmp: the rest of the file system may be read-only.
# The management port where there is one, at its own address: the public port refuses names that are not in ALLOWED_HOSTS.
HEALTHCHECK --interval=10s --timeout=2s --start-period=5s CMD ["/nodejs/bin/node", "-e", "const { MANAGEMENT_PORT, MANAGEMENT_HOST, PORT } = process.env; const host = (MANAGEMENT_PORT && MANAGEMENT_HOST) || '127.0.0.1'; http.get({ host, port: MANAGEMENT_PORT || PORT || 3000, path: '/health/ready' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# The entrypoint of the image is Node. `start.js migrate` brings the store up to date instead.
CMD ["--max-semi-space-size=16", "--initial-old-space-size=64", "start.js"]
