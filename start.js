#!/usr/bin/env node
// The front door of this repository, with everything that stands in for something real. The one of the artefact is production.js.
await import('./src/startup/node-version.js');
const { main } = await import('./src/main.ts');
await main(process.argv.slice(2), async () => (await import('./src/development/index.ts')).development);
