import { mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand, serveJson, withoutPages } from '../../support/run-command.ts'
import { toys } from '../../support/toys.ts'

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'pet-mock-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'fixtures'))
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { folder, write }
}

const base = 'extends: free-plan\nkeys: { my-app: { plan: free } }\n'
const mine = 'extends: ./base.yaml\nkey: my-app\n'
const files = { 'base.yaml': base, 'mine.yaml': mine }

async function watching(texts: Readonly<Record<string, string>> = files, args = ['-s', 'mine.yaml']) {
  const { folder, write } = folderWith(texts)
  const running = await serveJson([...args, '--watch'], { cwd: folder })
  const call = async (key: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${running.ready.url}/pets?limit=100`, { headers, ...init })
    const header = (name: string) => response.headers.get(`x-ratelimit-${name}`)
    const pets: unknown = await response.json()
    const count = Array.isArray(pets) ? pets.length : undefined
    return { status: response.status, limit: header('limit'), left: header('remaining'), pets: count }
  }
  return { ...running, folder, write, call }
}

describe('a valid save', () => {
  it('applies at once in every sandbox, and keeps pets and counters', async () => {
    const { call, write, untilTold } = await watching()
    const rex = { method: 'POST', body: '{"name":"Rex","categoryId":1}' }
    await call('my-app', rex)
    await call('my-app+worker-1', rex)
    write(
      'mine.yaml',
      `${mine}plans: { free: { minute: 10 } }\nbans: off\nkeys: { new: { plan: pro }, demo-pro: null }\npets: { count: 5 }\n`,
    )
    await untilTold(
      /^Reloaded mine\.yaml\. Applied now: plans, bans, keys\.demo-free, keys\.my-app, keys\.new \(new\), keys\.demo-pro \(removed\)\. Applied in sandboxes without calls, elsewhere by pet-mock reset: pets\.$/m,
    )
    expect(await call('my-app')).toEqual({ status: 200, limit: '10', left: '8', pets: 100 })
    expect(await call('my-app+worker-1')).toEqual({ status: 200, limit: '10', left: '8', pets: 100 })
    expect(await call('my-app+worker-2')).toEqual({ status: 200, limit: '10', left: '9', pets: 5 })
    expect(await call('new')).toMatchObject({ status: 200, limit: '300' })
    expect(await call('demo-pro')).toMatchObject({ status: 401 })
  })

  it('with reset: true starts every sandbox over', async () => {
    const { call, write, untilTold } = await watching()
    const rex = { method: 'POST', body: '{"name":"Rex","categoryId":1}' }
    await call('my-app', rex)
    await call('my-app+worker-1', rex)
    write('mine.yaml', `${mine}reset: true\npets: { count: 5 }\n`)
    await untilTold(/^Reloaded mine\.yaml\. Every sandbox starts over, because of `reset: true`\.$/m)
    expect(await call('my-app')).toEqual({ status: 200, limit: '60', left: '59', pets: 5 })
    expect(await call('my-app+worker-1')).toEqual({ status: 200, limit: '60', left: '59', pets: 5 })
  })

  it('applies completely where no call was made', async () => {
    const { call, write, untilTold } = await watching()
    write('mine.yaml', `${mine}pets: { count: 5 }\nkeys: { my-app: { used: { minute: 50 } } }\n`)
    await untilTold(
      /Applied in sandboxes without calls, elsewhere by pet-mock reset: pets, keys\.my-app \(initial state\)\.$/m,
    )
    expect(await call('my-app')).toEqual({ status: 200, limit: '60', left: '9', pets: 5 })
  })

  it.each<[way: string, save: (path: string, text: string) => void]>([
    ['in place', writeFileSync],
    [
      'in two steps',
      (path, text) => {
        writeFileSync(path, '')
        writeFileSync(path, text)
      },
    ],
    [
      'by renaming another file',
      (path, text) => {
        writeFileSync(`${path}.tmp`, text)
        renameSync(`${path}.tmp`, path)
      },
    ],
    [
      'by moving the old one away',
      (path, text) => {
        renameSync(path, `${path}~`)
        writeFileSync(path, text)
      },
    ],
  ])('is noticed when made %s, also in the extended file', async (_way, save) => {
    const { folder, call, untilTold } = await watching()
    save(join(folder, 'base.yaml'), base.replace('plan: free', 'plan: pro'))
    await untilTold(/^Reloaded base\.yaml\. Applied now: keys\.my-app\.$/m)
    save(join(folder, 'mine.yaml'), mine.replace('my-app', 'demo-free'))
    await untilTold(/^Reloaded mine\.yaml\. Nothing changes for calls\.$/m)
    expect(await call('my-app')).toMatchObject({ limit: '300' })
  })

  it('may name a new file, which is then watched', async () => {
    const { write, call, untilTold } = await watching()
    write('other.yaml', base)
    write('mine.yaml', 'extends: ./other.yaml\nkey: my-app\n')
    await untilTold(/Reloaded mine\.yaml/)
    write('other.yaml', base.replace('plan: free', 'plan: business'))
    await untilTold(/Reloaded other\.yaml/)
    expect(await call('my-app')).toMatchObject({ limit: '1000' })
  })

  it('of fixtures changes keys at once, and pets in new sandboxes', async () => {
    const texts = { 'fixtures/keys.yaml': 'mine: free\n' }
    const { write, call, untilTold } = await watching(texts, ['--fixtures', 'fixtures', '--pets', '1'])
    await call('mine')
    write('fixtures/keys.yaml', 'mine: pro\nyours: free\n')
    await untilTold(/Reloaded fixtures\/keys\.yaml\..* keys\.mine, keys\.yours \(new\)\.$/m)
    expect(await call('mine')).toMatchObject({ limit: '300', left: '298' })
    // New files count: the folder is watched, too.
    write('fixtures/pets.yaml', '- { name: Only, categoryId: 7 }\n')
    await untilTold(
      /Reloaded fixtures(?:, .*)?\. Applied in sandboxes without calls, elsewhere by pet-mock reset: pets\.$/m,
    )
    expect(await call('yours+new')).toMatchObject({ status: 200, pets: 1 })
  })

  it('of fixtures counts for the admin plane, too', async () => {
    const texts = { 'fixtures/keys.yaml': 'mine: free\n' }
    const { ready, write, call, untilTold } = await watching(texts, ['--fixtures', 'fixtures', '--pets', '1'])
    write('fixtures/pets.yaml', '- { name: Only, categoryId: 7 }\n')
    write('fixtures/keys.yaml', 'mine: free\nyours: pro\n')
    await untilTold(/keys\.yours \(new\)/)
    await untilTold(/: pets\.$/m)
    expect(await (await fetch(`${ready.admin}/situation.yaml`)).text()).not.toContain('yours')
    const put = async (scenario: unknown) => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ scenario })
      return (await fetch(`${ready.admin}/scenario`, { method: 'PUT', headers, body })).status
    }
    expect(await put({ extends: 'free-plan', key: 'yours' })).toBe(200)
    const headers = { Authorization: 'Bearer yours' }
    expect(await (await fetch(`${ready.url}/pets/1`, { headers })).json()).toMatchObject({ name: 'Only' })
    expect(await put('free-plan')).toBe(200)
    expect(await call('yours')).toMatchObject({ status: 200 })
  })

  it('of a contract counts for the judge of --contract, too', async () => {
    const strict = (most: number) =>
      toys.replace('example: Adopt!', `example: Adopt!, schema: { type: string, maxLength: ${most} }`)
    const args = ['--openapi', 'toys.yaml', '--contract']
    const { ready, write, until, untilTold } = await watching({ 'toys.yaml': strict(3) }, args)
    const ask = () => fetch(`${ready.url}/motto`, { headers: { Authorization: 'Bearer demo-free' } })
    await ask()
    await until(/must NOT have more than 3 characters/)
    write('toys.yaml', strict(4))
    await untilTold(/^Reloaded toys\.yaml\. Applied now: the contract\.$/m)
    await ask()
    await until(/must NOT have more than 4 characters/)
  })
})

describe('an invalid save', () => {
  it('is reported as at a start, changes nothing, and ends with the next valid one', async () => {
    const { folder, write, call, untilTold, stderr } = await watching()
    await call('my-app')
    const broken = `${mine}bans: { afer: 3 }\n`
    write('mine.yaml', broken)
    await untilTold(/^The previous version stays active until this is fixed\.$/m)
    const { stderr: atStart } = await runCommand(['-s', 'mine.yaml'], { cwd: folder })
    expect(atStart).toContain('did you mean after?')
    expect(stderr()).toBe(`${withoutPages(atStart)}The previous version stays active until this is fixed.\n`)
    expect(await call('my-app')).toMatchObject({ status: 200, left: '58' })
    write('mine.yaml', broken.replace('afer', 'after'))
    await untilTold(/^Reloaded mine\.yaml\. Applied now: bans\.$/m)
    expect(await call('my-app')).toMatchObject({ status: 200, left: '57' })
  })

  it.each(['mine.yaml', 'base.yaml'])('is also the loss of %s, until it is back', async name => {
    const { folder, write, call, untilTold } = await watching()
    unlinkSync(join(folder, name))
    await untilTold(/no such file\)|there is no file mine.yaml in/)
    await untilTold(/stays active/)
    expect(await call('my-app')).toMatchObject({ status: 200, limit: '60' })
    write(name, name === 'base.yaml' ? base.replace('plan: free', 'plan: pro') : `${mine}bans: off\n`)
    await untilTold(name === 'base.yaml' ? /Applied now: keys\.my-app\.$/m : /Applied now: bans\.$/m)
  })

  it('is also the loss of the fixtures folder', async () => {
    const texts = { 'fixtures/keys.yaml': 'mine: free\n' }
    const { folder, write, call, untilTold } = await watching(texts, ['--fixtures', 'fixtures'])
    rmSync(join(folder, 'fixtures'), { recursive: true })
    await untilTold(/^--fixtures: there is no directory fixtures in \S+$/m)
    expect(await call('mine')).toMatchObject({ status: 200 })
    mkdirSync(join(folder, 'fixtures'))
    write('fixtures/keys.yaml', 'mine: pro\n')
    await untilTold(/keys\.mine/)
    expect(await call('mine')).toMatchObject({ limit: '300', left: '298' })
  })
})

it.each([
  [['--watch'], {}, '--watch'],
  [['--scenario', 'ban'], { PET_MOCK_WATCH: '1' }, 'PET_MOCK_WATCH'],
])('%j %j is refused: there is nothing to watch', async (args, env, source) => {
  const { code, stderr } = await runCommand(args, { env })
  const message = 'nothing to watch; add --scenario FILE, --fixtures DIR, --profile FILE or --openapi FILE'
  expect({ code, stderr: withoutPages(stderr) }).toEqual({ code: 2, stderr: `${source}: ${message}\n` })
})
