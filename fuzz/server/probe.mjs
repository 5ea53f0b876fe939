/* Loaded into the server before its own code: answers the fuzzer's questions about the heap. Needs --expose-gc. */
process.on('message', async () => {
  globalThis.gc?.()
  await new Promise(resolve => setImmediate(resolve))
  globalThis.gc?.()
  process.send?.(process.memoryUsage().heapUsed)
})
// Whoever started the server is gone: it does not stay behind.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
