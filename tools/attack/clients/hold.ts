/**
 * Holds slow connections in its own process, so that they use no time of the process that measures. `node hold.ts
 * <port> <count> <first bytes>…` opens `count` connections, and finishes no request on them. It writes `open` when all
 * are open, and, for each line on standard input, how many of them are still open.
 */
import { connect } from 'node:net';

const [port, count, ...starts] = process.argv.slice(2);
let opened = 0;
const sockets = Array.from({ length: Number(count) }, (_, n) => {
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(starts[n % starts.length] ?? '');
    opened += 1;
    if (opened === Number(count)) process.stdout.write('open\n');
  });
  socket.on('error', () => undefined).resume();
  return socket;
});
process.stdin.on('data', () => {
  process.stdout.write(`${sockets.filter(({ destroyed }) => !destroyed).length}\n`);
});
