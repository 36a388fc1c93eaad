/**
 * Runs the service for `npm run dev`, in a Node process without tsx. After a change of a file it stops the service as
 * Ctrl-C does, because after SIGTERM the service would accept requests for another 1.5 seconds.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onEndOfParent } from '../src/startup/end-with-parent.js';

if (process.send === undefined || process.execArgv.length > 0) {
  // In a group of its own, because Ctrl-C in a terminal goes to the whole group, and a second signal ends it at once.
  const service = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  service.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => service.kill('SIGINT'));
  onEndOfParent(() => service.kill('SIGINT'));
} else {
  // The channel closes when the other process ends, also when it was killed.
  process.on('disconnect', () => process.exit(1));
  await import('../src/startup/node-version.js');
  const { main } = await import('../src/main.ts');
  await main([], async () => (await import('../simulator/host/index.ts')).development);
}
