// The baseline of a start: Node with a server, and nothing else.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end());
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
