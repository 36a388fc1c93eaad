# The service as production runs it: what `npm run build` makes, Node, and no shell.

# A tag can be moved. Pin both images by digest for production: docs/guides/production.md, "Build".
ARG NODE_IMAGE=node:24-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# By the image's own Node: the one that npm brings for development is not installed here.
RUN ["node", "scripts/build.ts"]

FROM ${RUNTIME_IMAGE}
WORKDIR /app
COPY --from=build /source/dist ./
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
# Nothing is written but uploads under way and compiled code, both in /tmp: the rest of the file system may be read-only.
HEALTHCHECK --interval=10s --timeout=2s --start-period=5s CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:3000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The entrypoint of the image is Node. `start.js migrate` brings the store up to date instead.
CMD ["--max-semi-space-size=8", "start.js"]
