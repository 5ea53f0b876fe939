/*
 * `node bare-server.js PORT RECORDING`: what node:http alone does with these bytes on this machine. It reads a body and
 * makes nothing of it.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RecordedReply, Recording } from '../servers/recording.ts'

const [, , port, file = ''] = process.argv
const { GET, POST }: Recording = JSON.parse(readFileSync(file, 'utf8'))
const nextRead = inTurn(GET)
const nextCreate = inTurn(POST)

function inTurn(replies: readonly RecordedReply[]): () => RecordedReply {
  let next = 0
  return () => {
    const reply = replies[next]
    next = next + 1 < replies.length ? next + 1 : 0
    if (reply === undefined) throw new Error('The recording has no reply to this method')
    return reply
  }
}

createServer((request, response) => {
  if (request.method === 'GET') {
    const { status, headers, body } = nextRead()
    response.writeHead(status, headers).end(body)
    return
  }
  request.resume().on('end', () => {
    const { status, headers, body } = nextCreate()
    response.writeHead(status, headers).end(body)
  })
}).listen(Number(port), '127.0.0.1')
