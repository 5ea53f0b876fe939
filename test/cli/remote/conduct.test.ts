import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

/** Calls a server over one connection, and returns a function that runs the command. */
async function fly(paths: readonly string[], key = 'demo-free') {
  const { ready } = await serveJson(['-s', 'rate-limit-exhaustion'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const headers = { Authorization: `Bearer ${key}` }
  for (const path of paths) {
    await new Promise((resolve, reject) => {
      get(ready.url + path, { agent, headers }, response => response.resume().on('end', resolve)).on(
        'error',
        reject,
      )
    })
  }
  const cwd = directoryWith({})
  return {
    cwd,
    conduct: (...flags: readonly string[]) => runCommand(['conduct', '--url', ready.url, ...flags], { cwd }),
  }
}

const early = Array.from({ length: 5 }, () => '/pets')

it('reports no calls', async () => {
  const { conduct } = await fly([])
  const stdout = 'Conduct of the client: no findings\nNo calls yet.\n'
  expect(await conduct()).toEqual({ code: 0, signal: null, stdout, stderr: '' })
})

it('reports what a key used, without findings', async () => {
  const { conduct } = await fly(['/pets'], 'demo-pro')
  expect((await conduct()).stdout).toBe(
    'Conduct of the client: no findings\n\ndemo-p… (pro)  1 call, 0 refused; at peak 1 of 300 in a minute and 1 of 10,000 in a day; the plan free is large enough\n',
  )
})

it('reports findings, with exit code 1 unless --fail-on never', async () => {
  const { conduct } = await fly(early)
  expect(await conduct()).toMatchObject({ code: 1, stdout: expect.stringContaining('✕ error  early-retry') })
  expect(await conduct('--fail-on', 'never')).toMatchObject({ code: 0 })
  const { code, stdout } = await conduct('--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ findings: [{ id: 'early-retry' }], flights: [] })
})

it('writes reports, with a picture of the flight', async () => {
  const { conduct, cwd } = await fly(early)
  await conduct('--report', 'a.html')
  expect(readFileSync(join(cwd, 'a.html'), 'utf8')).toContain('Calls over time: demo-f…')
})

it('reports one sandbox or all', async () => {
  const { conduct } = await fly(['/pets/1'], 'demo-free+w1')
  expect((await conduct()).stdout).toMatch(/No calls yet\.\n1 more sandbox has requests: --sandbox '\*'\n$/)
  for (const sandbox of ['w1', '*']) {
    expect((await conduct('--sandbox', sandbox)).stdout).toContain('deprecated-operation')
  }
  expect(await conduct('--sandbox', 'w2')).toMatchObject({ code: 1, stderr: expect.stringContaining('w2') })
})
