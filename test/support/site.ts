import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { preview } from 'vite'
import type { TestContext } from 'vitest'
import { requireOrSkip } from './requirements.ts'

const root = fileURLToPath(new URL('../../site', import.meta.url))

/** Serves the built site below a prefix, such as `/a/b/`, until the test is over. `npm run site` builds it. */
export async function serveSite(context: Pick<TestContext, 'skip' | 'onTestFinished'>, prefix = '/a/b/') {
  requireOrSkip(context, 'the built site', existsSync(`${root}/dist/index.html`) ? root : undefined)
  const server = await preview({
    configFile: false,
    root,
    base: prefix,
    appType: 'mpa',
    logLevel: 'error',
    build: { outDir: 'dist' },
    preview: { host: '127.0.0.1', port: 0 },
  })
  context.onTestFinished(() => server.close())
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('The site has no port.')
  return `http://127.0.0.1:${address.port}${prefix}`
}
