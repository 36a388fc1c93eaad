/**
 * `npm run dev`: runs `npm start` again each time a file changes. With arguments, such as `--help`, it runs once. tsx
 * only watches the files: Node itself runs the service, because it starts in half the time.
 */
import { onEndOfParent } from '../src/startup/end-with-parent.js';

const WATCHED = ['src', 'adapters', 'simulator', 'fixtures', 'client', 'start.js'];

if (process.argv.length > 2) await import('../start.js');
else {
  const included = WATCHED.flatMap((path) => ['--include', path]);
  process.argv.push('watch', '--clear-screen=false', ...included, 'scripts/dev-service.js');
  onEndOfParent(() => process.kill(process.pid, 'SIGTERM'));
  await import('tsx/cli');
}
