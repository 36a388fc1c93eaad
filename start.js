#!/usr/bin/env node
// Starts the service from this repository, with the simulator: the bundle of the sources when there is one that is up to
// date, else the sources. The production build starts with production.js.
import { existsSync } from 'node:fs';
import { onEndOfParent } from './src/startup/process/end-with-parent.js';

// Only below npm: another starter may end on purpose.
if (process.env.npm_lifecycle_event !== undefined) onEndOfParent(() => process.kill(process.pid, 'SIGINT'));
try {
  await import('./src/startup/process/node-version.js');
  const { freshBundle } = await import('./src/startup/process/start-bundle.js');
  const bundle = freshBundle(import.meta.url);
  const words = process.argv.slice(2);
  if (bundle === null) {
    const { main } = await import('./src/main.ts');
    await main(words, async () => (await import('./simulator/host/index.ts')).development);
    if (words.length === 0) await bundleForNextTime();
  } else {
    const { mapStackTraces } = await import('./src/startup/process/stack-traces.js');
    mapStackTraces(bundle);
    const { main } = await import(new URL('main.js', bundle).href);
    await main(words, async () => (await import(new URL('host.js', bundle).href)).development);
  }
} catch (error) {
  // Only for a package: `npm ci` does not bring a file of this project that an import names wrongly.
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^Cannot find package/.test(error.message)) throw error;
  process.stderr.write(`${error.message}\nRun "npm ci" first, in the folder of this package.json.\n`);
  process.exitCode = 1;
}

/** Makes the bundle in a process of its own, so that this one does not use more memory. */
async function bundleForNextTime() {
  const script = new URL('scripts/start-bundle.ts', import.meta.url);
  if (!existsSync(script)) return;
  const [{ spawn }, { fileURLToPath }] = await Promise.all([import('node:child_process'), import('node:url')]);
  spawn(process.execPath, [fileURLToPath(script)], { detached: true, stdio: 'ignore' }).unref();
}
