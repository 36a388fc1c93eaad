/** Runs the service from its sources, in a process of scripts/dev.js. */

// The channel closes when the other process ends, also when it was killed.
process.on('disconnect', () => process.exit(1));
const { main } = await import('../src/main.ts');
await main([], async () => (await import('../simulator/host/index.ts')).development);
