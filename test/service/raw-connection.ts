import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection and sends raw bytes. */
export async function openConnection(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Everything that is received on a connection until it closes. */
export async function receiveAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

/** Sends raw bytes and returns everything that came back before the connection closed. */
export const sendRaw = async (port: number, text: string): Promise<string> =>
  receiveAll(await openConnection(port, text));
