import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { machine } from '../../support/machine.ts'
import { runCommand, serveJson, spawnCommand } from '../../support/run-command.ts'
import { runInside } from '../../support/run-inside.ts'

const standing = `extends: rate-limit-exhaustion\nclock: { at: 2026-03-02T09:00:00Z, frozen: true }\n`

async function standingServer() {
  const here = machine()
  writeFileSync(join(here.directory, 'standing.yaml'), standing)
  const { ready, child } = await here.serve('-s', join(here.directory, 'standing.yaml'))
  const call = (target: string, key = 'demo-free') =>
    fetch(`${ready.url}${target}`, { headers: { Authorization: `Bearer ${key}` } })
  return { ...here, ready, child, call }
}

it('these commands show and change a server, in order', async () => {
  const { run } = await standingServer()
  const lines: readonly (readonly [line: string, shown: string | RegExp])[] = [
    ['clock', '2026-03-02T09:00:00Z  frozen'],
    ['clock show', '2026-03-02T09:00:00Z  frozen'],
    ['clock advance 60s', '2026-03-02T09:01:00Z  frozen'],
    ['clock advance --to 2026-03-02T10:00:00Z', '2026-03-02T10:00:00Z  frozen'],
    ['clock freeze 2026-03-02T11:00:00Z', '2026-03-02T11:00:00Z  frozen'],
    ['clock reset', '2026-03-02T09:00:00Z  frozen'],
    ['clock advance 1h --sandbox w1', '2026-03-02T10:00:00Z  frozen'],
    ['clock', '2026-03-02T09:00:00Z  frozen'],
    ['keys', /^demo-free +free +3\/60 +\d+\/1,000$/m],
    ['keys add my-app pro', /^key .*\nmy-app +pro +300\/300 +10,000\/10,000$/],
    ['keys ban my-app --for 2m', /\nmy-app .* banned until 2026-03-02T09:02:00Z$/],
    ['keys unban my-app', /^key .*\nmy-app +pro +300\/300 +10,000\/10,000$/],
    ['keys delete my-app', 'deleted my-app (plan pro)'],
    ['requests', 'The journal has no requests.'],
    ['snapshot save all.json', /^wrote all\.json {2}[\d,]+ bytes$/],
    ['clock resume --scale 30', /^2026-03-02T09:00:00\S*Z {2}running at 30x speed$/],
    [
      'snapshot load all.json',
      /^loaded {2}default {2}\S+ {2}100 pets {2}4 keys {2}2026-03-02T09:00:00Z, frozen$/,
    ],
    ['reset --sandbox *', /^reset {2}default .*\nreset {2}w1 /],
    ['requests clear', 'cleared the requests of the sandbox default'],
  ]
  for (const [line, shown] of lines) {
    const { code, stdout, stderr } = await run(line)
    expect([line, code, stderr, stdout.trimEnd()]).toEqual([
      line,
      0,
      '',
      typeof shown === 'string' ? shown : expect.stringMatching(shown),
    ])
  }
})

it('prints the JSON of the admin plane with --json', async () => {
  const { run, call, ready } = await standingServer()
  await call('/pets')
  for (const [line, path] of [
    ['clock', '/clock'],
    ['keys', '/keys'],
    ['requests', '/requests'],
    ['requests explain 1', '/requests/1'],
  ]) {
    const answer = await (await fetch(`${ready.admin}${path}`)).json()
    expect(JSON.parse((await run(`${line} --json`)).stdout)).toEqual(answer)
  }
})

describe('requests', () => {
  it('lists matching requests as lines of the log', { timeout: 120_000 }, async () => {
    const { run, call } = await standingServer()
    for (let made = 0; made < 4; made += 1) await call('/pets?limit=5')
    await call('/pet', 'demo-pro+w1')
    const shown = async (line: string) => (await run(line)).stdout.replace(/\d\d:\d\d:\d\d/g, 'TIME')
    const others = "1 more sandbox has requests: --sandbox '*'\n"
    expect(await shown('requests')).toBe(`\
#1  TIME  GET /v1/pets?limit=5  200  demo-f… free  2/60 left this minute
#2  TIME  GET /v1/pets?limit=5  200  demo-f… free  1/60 left this minute
#3  TIME  GET /v1/pets?limit=5  200  demo-f… free  0/60 left this minute
#4  TIME  GET /v1/pets?limit=5  429  demo-f… free  0/60 left this minute  rate_limit_exceeded, wait 60 s
${others}`)
    const refused = /^#4 .*\n1 more .*\n$/
    expect(await shown('requests --status 429')).toMatch(refused)
    expect(await shown('requests --refused --method get --operation listPets --path /v1/pets')).toMatch(
      refused,
    )
    expect(await shown('requests --limit 1')).toMatch(
      /^#4 .*\nThe newest 1 of 4; --limit N shows more\.\n1 more .*\n$/,
    )
    expect(await shown('requests --key demo-pro')).toBe(`None of the 4 requests matches.\n${others}`)
    expect(await shown('requests --sandbox w1 --key demo-free')).toBe('The only request does not match.\n')
    expect(await shown('requests --sandbox * --show-keys --code route_not_found')).toMatch(
      /^w1#1 .* demo-pro\+w1 pro /,
    )
    expect(await shown('requests explain')).toMatch(/\n1 more sandbox has requests: --sandbox w1\n$/)
    expect(await shown('requests explain 4')).not.toContain('sandbox')
    expect(await shown('requests explain 4')).toContain('and had made 60. The refused call used no quota.')
    expect(await shown('requests explain --sandbox w1')).toMatch(
      /^ +asked +expected\nrequest {2}GET \/v1\/pet {2}GET \/v1\/pets$/m,
    )
  })

  it('goes on when the server restarts, from its first request', async () => {
    const { env, call, ready, child } = await standingServer()
    for (let made = 0; made < 5; made += 1) await call('/pets')
    const following = spawnCommand(['requests', '-f', '--url', ready.admin], { env })
    await following.until(/#5 /)
    child.kill('SIGTERM')
    await following.untilTold(/has stopped\. Waiting 60 s for it to come back\.\n/)
    await spawnCommand(['--port', new URL(ready.url).port], { env }).until(/http:/)
    for (let made = 0; made < 2; made += 1) await call('/pets/1')
    await following.until(/#2 .*\/v1\/pets\/1/)
    expect(following.stdout().match(/#\d+ /g)).toEqual(['#1 ', '#2 ', '#3 ', '#4 ', '#5 ', '#1 ', '#2 '])
    following.child.kill('SIGKILL')
  })

  it('follows new requests, also after a reset', {
    timeout: 120_000,
  }, async () => {
    const { env, call, run } = await standingServer()
    await call('/pets')
    const following = spawnCommand(['requests', '-f', '--status', '429'], { env })
    const json = spawnCommand(['requests', '--follow', '--json'], { env })
    await json.until(/"id":1,/)
    for (let made = 0; made < 3; made += 1) await call('/pets')
    await following.until(/#4 .* 429 /)
    await json.until(/"id":4,/)
    await run('reset')
    // More than before: each has a new id.
    for (let made = 0; made < 6; made += 1) await call('/pets/1')
    await following.until(/#10 .* 429 /)
    await json.until(/"id":10,/)
    expect(following.stdout().match(/#\d+ /g)).toEqual(['#4 ', '#8 ', '#9 ', '#10 '])
    expect(
      json
        .stdout()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).id),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
})

describe('finds', () => {
  it('the only server, or the one of --url', { timeout: 120_000 }, async () => {
    const { run, serve, runFiles } = machine()
    expect(await run('clock')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^No pet-mock runs/),
    })
    const [first, second] = [await serve(), await serve('-s', 'ban')]
    const { code, stderr } = await run('reset')
    const origins = [first, second].map(({ ready }) => new URL(ready.url).origin)
    expect(code).toBe(2)
    expect(stderr).toContain(`  --url ${origins[0]}  free-plan, process ${first.child.pid}\n`)
    expect(stderr).toContain(`  --url ${origins[1]}  ban, process ${second.child.pid}\n`)
    for (const url of [second.ready.url, second.ready.admin, `${origins[1]}/`])
      expect((await run(`reset --url ${url}`)).stdout).toMatch(/^reset {2}default {2}ban /)
    first.child.kill('SIGTERM')
    await first.ended
    expect(runFiles()).toEqual([`${second.child.pid}.json`])
    expect((await run('reset')).stdout).toMatch(/^reset {2}default {2}ban /)
    // A killed server leaves its file.
    second.child.kill('SIGKILL')
    await second.ended
    expect((await run('reset')).code).toBe(3)
    expect(runFiles()).toEqual([])
  })

  it('a server that is too busy to answer', { timeout: 120_000 }, async ({ skip }) => {
    skip(process.platform === 'win32', 'Windows cannot suspend a process')
    const { run, serve, runFiles } = machine()
    const { ready, child } = await serve()
    await expect.poll(runFiles).toEqual([`${child.pid}.json`])
    child.kill('SIGSTOP')
    const { origin } = new URL(ready.url)
    expect(await run('clock')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`${origin} does not respond.`),
    })
    expect((await run('ps')).stdout).toMatch(/\/v1 +does not respond +process \d+\n$/)
    child.kill('SIGCONT')
    expect((await run('clock')).code).toBe(0)
  })

  it('the server of exec', async () => {
    const { env } = machine()
    const line = ['exec', '-s', 'ban', '--', process.execPath, 'dist/pet-mock.cjs', 'reset']
    const { code, stdout } = await runCommand(line, { env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^reset {2}default {2}ban /) })
  })

  it('a server once that two files name, beside a damaged file', async () => {
    const { run, directory, serve } = machine()
    const files = join(directory, `pet-mock-${process.getuid?.() ?? 'user'}`)
    mkdirSync(files, { mode: 0o700 })
    const { ready } = await serve()
    writeFileSync(join(files, '1.json'), '{')
    writeFileSync(
      join(files, `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, admin: ready.admin }),
    )
    expect((await run('clock')).code).toBe(0)
  })

  it('a server by its URL if its run file cannot be written', async () => {
    const { run, directory, serve } = machine()
    // A file blocks the directory.
    writeFileSync(join(directory, `pet-mock-${process.getuid?.() ?? 'user'}`), '')
    const { ready, stderr } = await serve()
    expect((await run('clock')).code).toBe(3)
    expect((await run(`clock --url ${ready.url}`)).code).toBe(0)
    expect(stderr()).toBe('')
  })
})

describe('reports', () => {
  it.each([
    ['clock advance', /^Expected: pet-mock clock advance 60s/],
    ['clock advance 60', /^DURATION: 60 has no unit\. For seconds: pet-mock clock advance 60s/],
    ['clock advance soon', /^DURATION: expected a duration, such as 90s, 15m or 250ms, found "soon"/],
    ['clock advance 60s --to 2030-12-05', /^Give a duration or --to, not both: pet-mock clock advance 60s/],
    ['clock advance 2030-12-05T00:00:00Z', /pet-mock clock advance --to 2030-12-05T00:00:00Z/],
    ['clock freeze tomorrow', /^ISO: expected an instant/],
    ['bann', /^"bann" is not a command; did you mean keys ban\?/],
    ['pets create', /^"create" is not a command of pets; did you mean add\?\n$/],
    ['clock advnace 60s', /^"advnace" is not a command of clock; did you mean advance\?/],
    ['clock resume --scale fast', /^--scale: expected a number, such as 30, found "fast"/],
    ['keys ban', /^Expected: pet-mock keys ban KEY/],
    ['keys add mine', /^Expected: pet-mock keys add NAME PLAN/],
    ['keys ban demo-free --for ever', /^--for: expected a duration/],
    ['requests explain last', /^ID: expected a request number such as 17, found "last"/],
    ['requests --staus 429', /^--staus is not a flag of this command; did you mean --status\?/],
    ['snapshot load', /^Expected: pet-mock snapshot load FILE/],
    ['reset --url 127.0.0.1:7387', /^--url: expected a URL/],
  ])('%s', async (line, told) => {
    expect(await runInside(line.split(' '))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(told),
    })
  })

  it.each([
    ['keys ban demo-fre', 1, /^Unknown key "demo-fre"; /],
    ['clock --sandbox w9', 1, /^There is no sandbox "w9"/],
    ['requests --status 4x', 1, /^status: expected a status such as 429/],
    ['requests explain 1', 1, /^There is no request 1 /],
    ['requests explain', 1, /^There is nothing to explain: the journal has no requests\./],
    ['clock freeze 2020-01-01T00:00:00Z', 1, /only a reset or a snapshot moves it back/],
    ['snapshot load nope.json', 2, /^nope\.json cannot be read \(no such file\)/],
    ['snapshot load standing.yaml', 2, /^standing\.yaml is not JSON: /],
    ['snapshot save no/such/place.json', 2, /cannot be written \(no such file\)/],
    ['clock --url http://127.0.0.1:9', 3, /^No server can be reached at http:\/\/127\.0\.0\.1:9 /],
  ])('with a server: %s', async (line, code, told) => {
    const { run } = await standingServer()
    expect(await run(line)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(told) })
  })

  it('a snapshot that is too large to load again, already when it is saved', async () => {
    const { ready } = await serveJson(['--snapshot-limit', '2KB'])
    const cwd = directoryWith({})
    const words = ['snapshot', 'save', 'a.json', '--sandbox', '*', '--url', ready.url]
    expect(await runCommand(words, { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^wrote a\.json/),
      stderr:
        'This server loads at most 2 KB. To load this snapshot, start pet-mock with --snapshot-limit 1MB.\n',
    })
    expect(await runCommand(['snapshot', 'load', ...words.slice(2)], { cwd })).toMatchObject({ code: 1 })
  })

  it('a file that is not a snapshot', async () => {
    const { run, directory } = await standingServer()
    writeFileSync(join(directory, 'none.json'), '{"version":1}')
    expect(await run('snapshot load none.json')).toMatchObject({ code: 1, stdout: '' })
  })

  it('a server that is not a pet-mock', async () => {
    const { port } = await listenHttp((_request, response) => response.end('Hello'))
    expect(await machine().run(`clock --url http://127.0.0.1:${port}`)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/is not a pet-mock/),
    })
  })
})

it('finds the server by its environment', async () => {
  const { run, serve } = machine()
  const [{ ready: one }, { ready: other }] = [await serve(), await serve('-s', 'ban')]
  const port = (url: string) => new URL(url).port
  const asked = async (line: string, env: Readonly<Record<string, string>>) => (await run(line, env)).stdout
  expect(await run('scenarios use')).toMatchObject({ code: 2 })
  expect(await asked('scenarios use', { PET_MOCK_URL: other.url })).toContain('(ban)')
  expect(await asked('scenarios use', { PET_MOCK_PORT: port(other.url) })).toContain('(ban)')
  const both = { PET_MOCK_URL: other.url, PET_MOCK_PORT: port(one.url) }
  expect(await asked('scenarios use', both)).toContain('(ban)')
  expect(await asked(`scenarios use --port ${port(one.url)}`, both)).toContain('(free-plan)')
})

it('sends the admin token', async () => {
  const { run, serve } = machine()
  await serve('--admin-token', 'sesame')
  expect(await run('clock')).toMatchObject({ code: 1, stderr: expect.stringMatching(/requires a token/) })
  expect((await run('clock --admin-token sesame')).code).toBe(0)
  expect((await run('clock', { PET_MOCK_ADMIN_TOKEN: 'sesame' })).code).toBe(0)
  expect(await run('clock --admin-token simsalabim')).toMatchObject({ code: 1 })
})
