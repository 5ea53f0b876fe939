import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { runCommand } from '../../support/run-command.ts'

const own = {
  extends: 'pro-plan',
  key: 'demo-pro',
  pageOrder: 'descending',
  errors: { pet_not_found: { code: 'not_found', message: 'No pet {id}' } },
} as const

async function withService(act: (url: string, folder: string) => Promise<void>, scenario: object = own) {
  await using mock = await startPetMock({ scenario })
  await act(mock.url, directoryWith({}))
}

const run = (folder: string, ...words: readonly string[]) => runCommand(words, { cwd: folder })
const key = ['--key', 'demo-pro'] as const

describe('learn', () => {
  it('writes a profile that pet-mock then serves, and merges the next run', async () => {
    await withService(async (url, folder) => {
      const first = await run(folder, 'learn', url, ...key)
      expect(first).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Calls: at most 60 GET requests, three of them without a valid key.'),
      })
      expect(first.stdout).toMatch(/pageOrder +"descending" \(new\) +observed on \d{4}-\d\d-\d\d\n/)
      expect(first.stdout).toContain(
        'Wrote service.profile.yaml. Serve it: pet-mock --profile service.profile.yaml\n',
      )
      const file = readFileSync(join(folder, 'service.profile.yaml'), 'utf8')
      expect(file).not.toContain('demo-pro')
      expect(file).toMatch(
        /errors\.pet_not_found: \{ code: not_found, message: "No pet \{id\}", state: observed, seen: 2, last: /,
      )
      const second = await run(folder, 'learn', url, ...key)
      expect(second.stdout).not.toContain('(new)')
      expect(readFileSync(join(folder, 'service.profile.yaml'), 'utf8')).toMatch(
        /message: "No pet \{id\}", state: observed, seen: 4,/,
      )
      await using served = await startPetMock({ profile: join(folder, 'service.profile.yaml') })
      const response = await fetch(`${served.url}/pets/4711`, {
        headers: { Authorization: `Bearer ${served.key}` },
      })
      expect(await response.json()).toEqual({ code: 'not_found', message: 'No pet 4711', status: 404 })
    })
  })

  it('prints its plan alone with --dry-run, and calls nobody', async () => {
    const { code, stderr } = await run(
      directoryWith({}),
      'learn',
      'http://127.0.0.1:9/v1',
      ...key,
      '--dry-run',
      '--exhaust',
      '--allow-writes',
    )
    expect(code).toBe(0)
    expect(stderr).toContain('Writes: at most three pets')
    expect(stderr).toContain('Refused calls: one.')
  })

  it('refuses flags that have no effect', async () => {
    const folder = directoryWith({ 'calls.har': '{}' })
    const { code, stderr } = await run(folder, 'learn', 'calls.har', '--exhaust', '--dry-run')
    expect(code).toBe(2)
    expect(stderr).toContain('--exhaust is for calls to a service, and recordings are only read\n')
    expect(stderr).toContain('--dry-run is for calls to a service, and recordings are only read\n')
    const drift = ['drift', 'http://127.0.0.1:9/v1', ...key, '--dry-run', '--report', 'r.md']
    expect(await run(folder, ...drift)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--report: --dry-run compares nothing to report\n'),
    })
  })

  it('reads recordings', async () => {
    await withService(async (url, folder) => {
      for (const path of ['/pets?limit=5', '/pets/70001', '/pets/1', '/pets/70002'])
        await fetch(url + path, { headers: { Authorization: 'Bearer demo-pro' } })
      const archive = await fetch(url.replace('/v1', '/__admin/requests.har'))
      writeFileSync(join(folder, 'calls.har'), await archive.text())
      const { code, stdout } = await run(folder, 'learn', 'calls.har')
      expect(code).toBe(0)
      expect(stdout).toContain('{"code":"not_found","message":"No pet {id}"} (new)')
      const elsewhere = await run(folder, 'learn', 'calls.har', '--profile', 'nowhere/p.yaml')
      expect(elsewhere).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^nowhere\/p\.yaml cannot be written \(no such file\)/),
      })
    })
  })

  it.each<[string, (url: string) => readonly string[], number, string]>([
    ['without a key', url => ['learn', url], 2, '--key is missing'],
    [
      'nobody answers',
      () => ['learn', 'http://127.0.0.1:9/v1', ...key],
      3,
      'No service answers at http://127.0.0.1:9',
    ],
    [
      'a wrong key',
      url => ['learn', url, '--key', 'nobody'],
      3,
      'Nothing was learned, and no file was written. The service answered the first call with 401.',
    ],
    [
      'a directory that is not there',
      url => ['learn', url, ...key, '--profile', 'nowhere/p.yaml'],
      2,
      'nowhere/p.yaml cannot be written (no such file): name another file with --profile',
    ],
    ['no recording', () => ['learn', 'notes.txt'], 2, 'notes.txt is no recording'],
    [
      'the profile of another service',
      url => ['learn', url, ...key, '--profile', 'other.yaml'],
      2,
      'other.yaml:2:10: the profile is of https://other.example/v1, not of http://127.0.0.1',
    ],
    [
      'a broken profile',
      url => ['learn', url, ...key, '--profile', 'broken.yaml'],
      2,
      'broken.yaml:1:10: profile: expected 1, found 7',
    ],
  ])('%s', async (_says, words, code, text) => {
    await withService(async (url, folder) => {
      writeFileSync(join(folder, 'notes.txt'), 'nothing')
      writeFileSync(
        join(folder, 'other.yaml'),
        'profile: 1\nservice: https://other.example/v1\nlearned: {}\nunknown: []\n',
      )
      writeFileSync(
        join(folder, 'broken.yaml'),
        'profile: 7\nservice: https://other.example/v1\nlearned: {}\nunknown: []\n',
      )
      const ended = await run(folder, ...words(url))
      expect(ended.stderr).toContain(text)
      expect(ended.code).toBe(code)
    })
  })

  it('finds the limit of a service that counts a call after its response', async () => {
    let used = 0
    const { origin } = await listenHttp((_call, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': `${60 - used++}`,
        'X-RateLimit-Reset': '1893456000',
      })
      response.end('[]')
    })
    const { stdout } = await run(directoryWith({}), 'learn', `${origin}/v1`, ...key)
    expect(stdout).toMatch(/^limits\.names\.limit +"X-RateLimit-Limit" \(new\)/m)
  })

  it('lets two learners write one file, one after the other or with a reason', async () => {
    await withService(async (url, folder) => {
      const ended = await Promise.all([1, 2, 3].map(() => run(folder, 'learn', url, ...key)))
      expect(
        ended.every(({ code, stderr }) => code === 0 || /is being written by the process/.test(stderr)),
      ).toBe(true)
      expect(ended.some(({ code }) => code === 0)).toBe(true)
      const after = await run(folder, 'scenarios', 'show', 'free-plan', '--profile', 'service.profile.yaml')
      expect(after.stdout).toMatch(/pageOrder: descending # observed on /)
    })
  })
})

describe('drift', () => {
  const learned = async (url: string, folder: string) => {
    expect((await run(folder, 'learn', url, ...key)).code).toBe(0)
    return join(folder, 'service.profile.yaml')
  }

  it('is green while nothing changes, and names what changed with old, new and the call', async () => {
    await withService(async (url, folder) => {
      const path = await learned(url, folder)
      const same = await run(folder, 'drift', url, ...key)
      expect(same).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/Lines +\d+ of \d+ compared, \d+ the same/),
      })
      writeFileSync(path, readFileSync(path, 'utf8').replace('value: descending', 'value: ascending'))
      const changed = await run(folder, 'drift', url, ...key, '--report', 'drift.json')
      expect(changed.code).toBe(1)
      expect(changed.stdout).toMatch(
        /✕ error {2}changed\n {2}Changed: pageOrder\.\n +pageOrder +"ascending" until \S+, now "descending"/,
      )
      expect(JSON.parse(readFileSync(join(folder, 'drift.json'), 'utf8')).reports[0].findings[0].id).toBe(
        'changed',
      )
      expect((await run(folder, 'drift', url, ...key, '--fail-on', 'never')).code).toBe(0)
      expect((await run(folder, 'drift', url, ...key, '--update')).code).toBe(1)
      expect((await run(folder, 'drift', url, ...key)).code).toBe(0)
    })
  })

  it('sees a change to what no value describes, which learn does not write as a value', async () => {
    const pets = Array.from({ length: 150 }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }))
    let outside = 20
    const { origin } = await listenHttp(({ url = '' }, response) => {
      const limit = Number(new URL(url, origin).searchParams.get('limit') ?? 20)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(pets.slice(0, limit >= 1 && limit <= 100 ? limit : outside)))
    })
    const folder = directoryWith({})
    const { stdout } = await run(folder, 'learn', `${origin}/v1`, ...key)
    expect(stdout).toMatch(
      /^pageSize +something that no value describes \(limit=0 gets more than 1\) \(new\) +other on /m,
    )
    const path = join(folder, 'service.profile.yaml')
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/ pageSize: \{ shows: limit=0 gets more than 1, state: other, seen: 1, last: /)
    const checked = await run(folder, 'check', `${origin}/v1`, ...key)
    expect(checked.stdout).not.toContain('pageSize:')
    expect((await run(folder, 'drift', `${origin}/v1`, ...key)).code).toBe(0)
    outside = 150
    expect((await run(folder, 'drift', `${origin}/v1`, ...key)).code).toBe(1)
    const wrong = 'pageSize: { value: clamp, state: observed'
    writeFileSync(path, text.replace(/pageSize: .*? state: other/, wrong))
    const changed = await run(folder, 'drift', `${origin}/v1`, ...key)
    expect(changed.code).toBe(1)
    expect(changed.stdout).toMatch(
      /Changed: pageSize\.\n +pageSize +"clamp" until \S+, now something that no value describes \(limit=0 gets more than 1, limit=101 gets more than 100\)\n +GET \/v1\/pets\?limit=\d+ → 200/,
    )
  })

  it('ends with 3 if every response is an error, and with 2 without a profile', async () => {
    await withService(async (url, folder) => {
      const path = await learned(url, folder)
      const down = await listenHttp((_request, response) => response.writeHead(503).end())
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^service: .*$/m, `service: ${down.origin}/v1`))
      const ended = await run(folder, 'drift', `${down.origin}/v1`, ...key)
      expect(ended).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(
          'Nothing was compared. The service answered GET /pets?limit=2 with 503.',
        ),
      })
      const none = await run(folder, 'drift', url, ...key, '--profile', 'none.yaml')
      expect(none).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`there is no profile none.yaml: pet-mock learn ${url} writes it`),
      })
    })
  })
})

describe('exec --require', () => {
  const profile =
    'profile: 1\nservice: https://a.example/v1\nlearned:\n  errors.pet_not_found: { code: gone, state: observed, seen: 2, last: 2026-11-22 }\nunknown: []\n'
  const client = [
    '--',
    process.execPath,
    '-e',
    "fetch(process.env.PET_MOCK_URL + '/pets/4711', { headers: { Authorization: 'Bearer ' + process.env.PET_MOCK_KEY } }).then(async r => console.log(await r.text()))",
  ]

  it('lists the assumed settings with their calls, and fails', async () => {
    const folder = directoryWith({ 'p.yaml': profile })
    const ended = await run(folder, 'exec', '--profile', 'p.yaml', '--require', 'observed', ...client)
    expect(ended.stdout).toContain('"code":"gone"')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(
      /1 response rests on limits\.headers, which pet-mock assumes\.\n +GET \/v1\/pets\/4711 → 404/,
    )
    expect(ended.stderr).not.toContain('rests on errors.pet_not_found')
    const never = await run(
      folder,
      'exec',
      '--profile',
      'p.yaml',
      '--require',
      'observed',
      '--fail-on',
      'assumed-setting=never',
      ...client,
    )
    expect(never.code).toBe(0)
  })

  it.each([
    [
      ['--require', 'observed'],
      '--require: there is no profile; add --profile FILE, which pet-mock learn writes',
    ],
    [
      ['--require', 'observed', '--profile', 'p.yaml', '--allow-assumed', 'limits.windows'],
      'unknown setting "limits.windows"; did you mean limits.window?',
    ],
    [['--require', 'known', '--profile', 'p.yaml'], 'observed'],
  ])('%j is wrong usage', async (flags, text) => {
    const ended = await run(directoryWith({ 'p.yaml': profile }), 'exec', ...flags, ...client)
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(text) })
  })
})
