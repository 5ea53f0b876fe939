import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { installPackage } from '../support/package.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'

/* The package in runtimes other than Node, as far as docs/ci.md promises. */
const { app, env, remove } = installPackage()
afterAll(remove)

writeFileSync(
  join(app, 'smoke.mjs'),
  `import { createPetMock, startPetMock } from 'pet-mock'
for (const mock of [createPetMock({ scenario: 'rate-limit-exhaustion' }), await startPetMock({ scenario: 'rate-limit-exhaustion' })]) {
  const call = mock.fetch ?? fetch
  const get = () => call(mock.url + '/pets?limit=1', { headers: { Authorization: 'Bearer ' + mock.key } })
  const statuses = []
  for (let calls = 0; calls < 4; calls += 1) statuses.push((await get()).status)
  await mock.clock.advance('60s')
  statuses.push((await get()).status)
  const { requests } = { requests: await mock.requests.list() }
  console.log(JSON.stringify({ statuses, requests: requests.length }))
  await mock.close()
}
`,
)

describe.each([
  ['bun', []],
  ['deno', ['run', '--allow-all', '--no-remote', '--node-modules-dir=manual']],
] as const)('%s', (name, args) => {
  it('runs the library, in process and over HTTP', context => {
    const program = requireOrSkip(context, name, findProgram(name))
    const printed = execFileSync(program, [...args, 'smoke.mjs'], { cwd: app, env, encoding: 'utf8' })
    const line = JSON.stringify({ statuses: [200, 200, 200, 429, 200], requests: 5 })
    expect(printed).toBe(`${line}\n${line}\n`)
  })

  it('runs the server, its admin plane and its state file, and ends it cleanly', async context => {
    const program = requireOrSkip(context, name, findProgram(name))
    const flags = ['--port', '0', '--log-format', 'json', '--state', `${name}.json`]
    const child = spawn(program, [...args, 'node_modules/pet-mock/dist/pet-mock.cjs', ...flags], {
      cwd: app,
      env,
    })
    let [output, errors] = ['', '']
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      errors += chunk
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const ended = once(child, 'close')
    await expect.poll(() => output).toMatch(/"ready".*\n/)
    const { url, admin } = JSON.parse(output.split('\n')[0] ?? '')
    const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    expect((await fetch(`${url}/pets`, { method: 'POST', headers, body })).status).toBe(201)
    expect((await fetch(`${url}/pets/101`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/pets/101`)).status).toBe(401)
    const page = await fetch(`${url}/pets?limit=1`, { headers })
    const next = /<([^>]*)>/.exec(page.headers.get('Link') ?? '')?.[1] ?? ''
    expect(await (await fetch(next, { headers })).json()).toMatchObject([{ id: 2 }])
    const contract = await (await fetch(new URL('/openapi.json', url))).json()
    expect(contract).toMatchObject({ servers: [{ url }] })
    expect(await (await fetch(`${admin}/requests/count`, { method: 'POST' })).json()).toMatchObject({
      count: 6,
    })
    child.kill('SIGTERM')
    expect([await ended, errors]).toEqual([[0, null], ''])
  })
})
