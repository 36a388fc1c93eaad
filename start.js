#!/usr/bin/env node
// The front door of this repository, with everything that stands in for something real. The one of the artefact is production.js.
try {
  await import('./src/startup/node-version.js');
  const { main } = await import('./src/main.ts');
  await main(process.argv.slice(2), async () => (await import('./simulator/host/index.ts')).development);
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('A package is missing: run "npm ci" first, in the folder of this package.json.\n');
  process.exitCode = 1;
}
