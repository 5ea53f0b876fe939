/*
 * Loaded into the server before its own code. For each byte on descriptor 3 it collects garbage, and writes one line of
 * JSON: what is alive then.
 */
import { Socket } from 'node:net'

const wire = new Socket({ fd: 3, readable: true, writable: true })
wire.on('error', () => {})
wire.on('data', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  wire.write(`${JSON.stringify({ heapUsed, external, rss })}\n`)
})
wire.unref()
