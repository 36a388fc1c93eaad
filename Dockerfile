# The service as production runs it: what `npm run build` makes, the packages that it names, Node, and no shell.

FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# By the image's own Node: the one that npm brings for development is not installed here.
RUN ["node", "scripts/build.ts"]

FROM node:24-slim AS packages
WORKDIR /app
COPY --from=build /source/dist ./
RUN npm ci --omit=dev --ignore-scripts

FROM gcr.io/distroless/nodejs24-debian13:nonroot
WORKDIR /app
COPY --from=packages /app ./
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
# Nothing is written but uploads under way and compiled code, both in /tmp: the rest of the file system may be read-only.
HEALTHCHECK --interval=10s --timeout=2s --start-period=5s CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:3000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The entrypoint of the image is Node. `start.js migrate` brings the store up to date instead.
CMD ["--max-semi-space-size=8", "start.js"]
