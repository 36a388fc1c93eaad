// Plain JavaScript, so that an older Node can still read it and be told what to do.
import { unsupported } from './supported-node.js';

if (unsupported !== null) {
  process.stderr.write(`${unsupported}\n`);
  process.exit(1);
}

const { enableCompileCache } = await import('node:module');
enableCompileCache();
