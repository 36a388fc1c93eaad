#!/usr/bin/env node
// Starts the service from this repository, with the simulator. The production build starts with production.js.
try {
  await import('./src/startup/node-version.js');
  const { main } = await import('./src/main.ts');
  await main(process.argv.slice(2), async () => (await import('./simulator/host/index.ts')).development);
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('A package is missing: run "npm ci" first, in the folder of this package.json.\n');
  process.exitCode = 1;
}
