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
  const { conduct, cwd } = await fly([])
  const { code, stdout } = await conduct()
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Conduct of the client: 16 not judged\n(?:.*\n)+ +16 checks {2}no call was made\n/)
  expect(await conduct('--fail-on', 'unjudged', '--report', 'c.xml')).toMatchObject({ code: 1 })
  expect(readFileSync(join(cwd, 'c.xml'), 'utf8')).toMatch(/<testsuite name="conduct" [^>]*skipped="16"/)
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
  expect((await conduct()).stdout).toMatch(
    /no call was made\n(?:.*\n)+1 more sandbox has requests: --sandbox '\*'\n$/,
  )
  for (const sandbox of ['w1', '*']) {
    expect((await conduct('--sandbox', sandbox)).stdout).toContain('deprecated-operation')
  }
  expect(await conduct('--sandbox', 'w2')).toMatchObject({ code: 1, stderr: expect.stringContaining('w2') })
})
