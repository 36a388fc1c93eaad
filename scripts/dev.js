/** `npm run dev`: `npm start` that starts again when a file changes. With words, such as `--help`, it runs those once. */
if (process.argv.length > 2) await import('../start.js');
else {
  process.argv.push('watch', '--clear-screen=false', 'start.js');
  await import('tsx/cli');
}
