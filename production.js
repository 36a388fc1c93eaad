// Starts the production build, in which `npm run build` names this file start.js: without simulator, stand-ins and
// personas.
await import('./src/startup/process/node-version.js');
const { main } = await import('./src/main.ts');
await main(process.argv.slice(2));
