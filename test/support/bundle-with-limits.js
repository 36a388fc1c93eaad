// Starts the bundle of `npm start` as start.js does, with the time limits that its parent process sends. A later message
// changes them, and is answered when they apply.
import { once } from 'node:events';
import { freshBundle } from '../../src/startup/process/start-bundle.js';

process.on('disconnect', () => process.kill(process.pid, 'SIGINT'));
const [timing] = await once(process, 'message');
process.on('message', (limits) => {
  Object.assign(timing, limits);
  process.send('applied');
});
// The connection with the parent does not keep the process alive.
process.channel.unref();
const bundle = freshBundle(new URL('../../', import.meta.url).href);
const { main } = await import(new URL('main.js', bundle).href);
await main([], async () => (await import(new URL('host.js', bundle).href)).development, timing);
