// The front door of what `npm run build` makes, where it is called start.js: no stand-in, no simulator, nobody made up.
await import('./src/startup/node-version.js');
const { main } = await import('./src/main.ts');
await main(process.argv.slice(2));
