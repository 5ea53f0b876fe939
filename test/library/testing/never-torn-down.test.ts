import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'

/* Jest calls the setup in its own process, runs nothing of what it returns, and ends when nothing is left open. */
it('a process whose setup is never torn down ends by itself', async () => {
  const setup = new URL('../../../src/library/runners/global-setup.ts', import.meta.url).href
  const folder = directoryWith({
    'jest.mjs': `import setUp from ${JSON.stringify(setup)}
      await setUp()
      const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
      const response = await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })
      console.log(response.status, (await response.json()).length)`,
  })
  const env: NodeJS.ProcessEnv = { ...process.env }
  delete env.PET_MOCK_URL
  const args = ['--import', import.meta.resolve('tsx'), `${folder}/jest.mjs`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 100_000 })
  expect(stdout).toBe('200 20\n')
})
