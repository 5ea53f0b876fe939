import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Opens a server on this machine. It closes with all its connections at the end of the test, or before. */
async function listen(server: Server, wanted: number) {
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket.on('error', () => {})))
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await once(server.close(), 'close')
  }
  onTestFinished(close)
  await once(server.listen(wanted, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, close }
}

export const listenHttp = (answer: RequestListener, port = 0) => listen(createServer(answer), port)

/** `act` is called with the first bytes of each connection, and the number of connections so far. */
export function listenRaw(act: (socket: Socket, count: number, first: Buffer) => void) {
  let count = 0
  return listen(
    createSocketServer(socket => socket.once('data', first => act(socket, ++count, first))),
    0,
  )
}
