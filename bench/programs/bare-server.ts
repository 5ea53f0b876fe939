/*
 * `node bare-server.js PORT RECORDING`: what node:http alone does with these bytes on this machine. It reads a body and
 * makes nothing of it.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Recording } from '../servers/recording.ts'

const [, , port, file = ''] = process.argv
const { GET, POST }: Recording = JSON.parse(readFileSync(file, 'utf8'))

createServer((request, response) => {
  if (request.method === 'GET') response.writeHead(GET.status, GET.headers).end(GET.body)
  else request.resume().on('end', () => response.writeHead(POST.status, POST.headers).end(POST.body))
}).listen(Number(port), '127.0.0.1')
