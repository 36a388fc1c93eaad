/** `npm run dev`: runs `npm start` again each time a file changes. With arguments, such as `--help`, it runs once. */
if (process.argv.length > 2) await import('../start.js');
else {
  process.argv.push('watch', '--clear-screen=false', 'start.js');
  await import('tsx/cli');
}
