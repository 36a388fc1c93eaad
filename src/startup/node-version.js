// Plain JavaScript, so that an older Node can still read it and be told what to do.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `zorgregister-bff needs Node 22.19 or newer; this is ${process.version}. ` +
      'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.\n',
  );
  process.exit(1);
}

const { enableCompileCache } = await import('node:module');
enableCompileCache();
