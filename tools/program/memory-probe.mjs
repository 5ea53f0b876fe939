/* Loaded into a server before its own code: answers each message with the memory that is in use after a collection. Needs --expose-gc. */
process.on('message', async () => {
  globalThis.gc?.()
  // What the first collection releases may hold other things in finalizers.
  await new Promise(resolve => setImmediate(resolve))
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send?.({ heapUsed, external, rss })
})
// The tool that started the server is gone: it does not stay behind.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
