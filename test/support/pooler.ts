import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './upstreams/scripted-server.ts';

/** The last message of an answer of PostgreSQL to a client that is in no transaction, and with which a client leaves. */
const IDLE = Buffer.from('Z\0\0\0\x05I');
const LEAVES = Buffer.from('X\0\0\0\x04');

/**
 * Starts a proxy for a PostgreSQL that asks for a password in plain text. Each of its clients has three connections to the
 * server, gets another one after each transaction, and leaves them open, as may happen behind PgBouncer with
 * `pool_mode = transaction`.
 */
export async function startPooler(url: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const target = new URL(url);
  const behind = Number(target.port);
  const sockets = new Set<Socket>();
  const known = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer(async (client) => {
    known(client);
    const [startup] = await once(client, 'data');
    const connections = [0, 1, 2].map(() => known(connect(behind, '127.0.0.1')));
    const asked = await Promise.all(connections.map((one) => one.write(startup) && once(one, 'data')));
    client.write(asked.flat()[0]);
    const [password] = await once(client, 'data');
    const [ready] = await Promise.all(connections.map((one) => logIn(one, password)));
    let turn = 0;
    for (const one of connections)
      one.on('data', (answer: Buffer) => {
        if (answer.subarray(-IDLE.length).equals(IDLE)) turn += 1;
        client.write(answer);
      });
    client.on('data', (sent: Buffer) => {
      if (!sent.equals(LEAVES)) connections[turn % connections.length]?.write(sent);
      else client.end();
    });
    client.write(ready ?? '');
  });
  target.port = new URL(await listen(server)).port;
  return {
    url: target.href,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Sends a password, and returns the answer up to and with `IDLE`. */
async function logIn(connection: Socket, password: Buffer): Promise<Buffer> {
  connection.write(password);
  let answer = Buffer.alloc(0);
  while (!answer.subarray(-IDLE.length).equals(IDLE))
    answer = Buffer.concat([answer, (await once(connection, 'data'))[0]]);
  return answer;
}
