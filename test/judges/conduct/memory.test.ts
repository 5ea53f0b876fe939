import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('judging many callers with long targets stays within a small heap', async () => {
  const program = fileURLToPath(new URL('memory-program.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=128',
    '--import',
    import.meta.resolve('tsx'),
    program,
  ])
  expect(stdout).toBe('18000 100\n')
})
