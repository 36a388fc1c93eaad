// Plain JavaScript, so that an older Node can run it and print what to do.
import { unsupported } from './supported-node.js';

if (unsupported !== null) {
  process.stderr.write(`${unsupported}\n`);
  process.exit(1);
}

const { enableCompileCache } = await import('node:module');
enableCompileCache();
