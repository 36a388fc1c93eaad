// The baseline of a start: Node with a server, and nothing else.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end());
server.listen(Number(process.env.PORT), '127.0.0.1');
