/**
 * A process of the service for `npm run dev`, which does the steps that scripts/dev-restarts.js asks for: `prepare`
 * loads packages, `load` loads the sources, and `start` starts the service.
 */
import { registerHooks } from 'node:module';

/**
 * A message from scripts/dev-restarts.js.
 * @typedef {{ step: 'prepare', packages: readonly string[] } | { step: 'load' } | { step: 'start' }} Message
 */

/** URLs of the packages, and of the modules of Node, that the sources import. @type {Set<string>} */
const imported = new Set();
/** The function that starts the service; set by the step `load`. @type {(typeof import('../src/main.ts'))['main']} */
let main;
/**
 * The simulator for the service; set by the step `load`.
 * @type {(typeof import('../simulator/host/index.ts'))['development']}
 */
let development;

const isPackage = (url = '') => url.includes('/node_modules/');

/** Registers hooks that add the URLs of the packages and Node modules that the sources import to `imported`. */
const record = () =>
  registerHooks({
    resolve(specifier, context, next) {
      const { url, ...found } = next(specifier, context);
      if (!isPackage(context.parentURL) && (isPackage(url) || url.startsWith('node:'))) imported.add(url);
      return { url, ...found };
    },
  });

/** Does the step of a message. @param {Message} message */
async function run(message) {
  if (message.step === 'prepare') {
    await import('../src/startup/process/node-version.js');
    // A package that cannot be loaded is reported by the source that imports it.
    for (const one of message.packages) await import(one).catch(() => undefined);
  } else if (message.step === 'load') {
    record();
    ({ main } = await import('../src/main.ts'));
    ({ development } = await import('../simulator/host/index.ts'));
  } else {
    await main([], async () => development);
    process.send?.({ packages: [...imported] });
  }
}

// The channel closes when the other process ends, also when it was killed.
process.on('disconnect', () => process.exit(1));
let last = Promise.resolve();
process.on('message', (/** @type {Message} */ message) => {
  last = last.then(() => run(message));
});
