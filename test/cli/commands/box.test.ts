import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { lazily } from '../../../src/base/lazily.ts'
import { directoryWith } from '../../support/directory.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, serveJson, withoutPages } from '../../support/run-command.ts'

needPosix('signals')

const secret = 'partner-live-0123456789'

/** A client of seven calls in two sandboxes, with three keys, and a moved clock; it ends with an exit code. */
const client = (exitCode: number) => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_ADMIN: admin } = process.env
  const send = async (key, path) => (await fetch(url + path, { headers: { Authorization: 'Bearer ' + key } })).text()
  for (const path of ['/pets?limit=2', '/pets', '/pets', '/pets']) await send(key, path)
  await send(key + '+worker-3', '/pets/1')
  await send('${secret}', '/pets')
  await fetch(admin + '/clock/advance', { method: 'POST', body: '{"by":"61s"}', headers: { 'Content-Type': 'application/json' } })
  await send(key, '/pets')
  process.exitCode = ${exitCode}`,
]

/** A failed run, and its box. */
const record = lazily(async () => {
  const cwd = directoryWith({})
  const flags = ['-s', 'rate-limit-exhaustion', '--add-key', `${secret}=pro`, '--box', 'run.petbox']
  const ended = await runCommand(['exec', ...flags, ...client(3)], { cwd })
  return { ended, files: readdirSync(cwd), bytes: readFileSync(join(cwd, 'run.petbox')) }
})

/** A directory of the test's own with the box of a failed run. */
async function recorded() {
  const { bytes, ...run } = await record()
  const path = join(directoryWith({}), 'run.petbox')
  writeFileSync(path, bytes)
  return { ...run, path }
}

const linesOf = (path: string) => gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
const writeLines = (path: string, lines: readonly string[]) =>
  writeFileSync(path, gzipSync(lines.map(line => `${line}\n`).join('')))

describe('exec --box', () => {
  it('keeps a failed run without its keys, and the code of the command', async () => {
    const { ended, files, path } = await recorded()
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('the run is in run.petbox. To open it: pet-mock box open run.petbox\n')
    expect(files).toEqual(['run.petbox'])
    const text = linesOf(path).join('\n')
    expect(text).toContain('"Bearer demo-free+worker-3"')
    expect(text).not.toContain(secret)
  })

  it.each([
    ['a run that passes', [], 0, 0, false],
    ['a run that passes, with --box-when always', ['--box-when', 'always'], 0, 0, true],
    ['a verdict that fails', ['--fail-on', 'warning'], 0, 1, true],
  ])('%s', async (_name, flags, exitCode, code, isKept) => {
    const cwd = directoryWith({})
    const ended = await runCommand(['exec', '--box', 'boxes/run.petbox', ...flags, ...client(exitCode)], {
      cwd,
    })
    expect(ended.code).toBe(code)
    expect(existsSync(join(cwd, 'boxes/run.petbox'))).toBe(isKept)
    expect(readdirSync(join(cwd, 'boxes'))).toHaveLength(isKept ? 1 : 0)
  })

  it.each([
    [0, 1],
    [3, 3],
  ])('that cannot be written is exit code 1, unless the command ends with another: %i', async (own, code) => {
    const cwd = directoryWith({ file: '' })
    const ended = await runCommand(['exec', '--box', 'file/run.petbox', ...client(own)], { cwd })
    expect(ended.code).toBe(code)
    expect(ended.stderr).toMatch(/pet-mock: file\/run\.petbox cannot be written \(.+\)\n/)
  })
})

describe('a run that read the contract', () => {
  it('is the same when it is played', async () => {
    const cwd = directoryWith({})
    const program = `const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
      for (const path of ['/v1/pets', '/openapi.yaml', '/openapi.json', '/', '/v1/pets'])
        await (await fetch(new URL(path, url), { headers: { Authorization: 'Bearer ' + key } })).text()`
    const command = ['--', process.execPath, '--input-type=module', '-e', program]
    await runCommand(['exec', '--box', 'run.petbox', '--box-when', 'always', ...command], { cwd })
    const { code, stdout } = await runCommand(['box', 'play', 'run.petbox'], { cwd })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '5 calls: all responses are those of the run.\n',
    })
  })
})

describe('rehearse --box', () => {
  it('writes each failed run into a file of its own, whatever the names of situations', async () => {
    const cwd = directoryWith({ 'ban-2.yaml': 'extends: ban\nrehearsal: { expects: success }' })
    const program = `const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_SITUATION: situation } = process.env
      await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })
      process.exitCode = /ban/.test(situation) ? 1 : 0`
    const flags = ['--add', 'ban-2.yaml', '--only', 'ban,ban-2.yaml', '--repeat', '2', '--box', 'boxes']
    const command = ['--', process.execPath, '--input-type=module', '-e', program]
    const { code } = await runCommand(['rehearse', ...flags, ...command], { cwd })
    expect(code).toBe(1)
    expect(readdirSync(join(cwd, 'boxes'))).toHaveLength(4)
  })
})

describe('box show', () => {
  it('prints a line for each call, with its reason', async () => {
    const { path } = await recorded()
    const { code, stdout, stderr } = await runCommand(['box', 'show', path])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map(line => line.replaceAll(/ {2}\d{4}-\S+Z/g, '').replace(/ \d\.\d.*/, ''))).toEqual([
      'Recorded by pet-mock',
      '1  default:1  GET /v1/pets?limit=2  200  listPets answered it.',
      '2  default:2  GET /v1/pets  200  listPets answered it.',
      '3  default:3  GET /v1/pets  200  listPets answered it.',
      '4  default:4  GET /v1/pets  429 rate_limit_exceeded  The key may make 60 calls a minute (plan free), and had made 60. The refused call used no quota.',
      '5  worker-3:1  GET /v1/pets/1  200  getPet answered it.',
      '6  default:5  GET /v1/pets  200  listPets answered it.',
      '   advanceClock { by: 61s }',
      '7  default:6  GET /v1/pets  200  listPets answered it.',
    ])
    const json = await runCommand(['box', 'show', path, '--json'])
    const calls = json.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(calls).toHaveLength(7)
    expect(calls[3]).toMatchObject({ call: 4, sandbox: 'default', id: 4, status: 429, isSame: true })
    expect(calls[3].sentences[2]).toMatch(/^It is refused call number 1/)
  })
})

describe('box play', () => {
  it('finds all responses the same', async () => {
    const { path } = await recorded()
    const ended = await runCommand(['box', 'play', path])
    expect(ended).toMatchObject({ code: 0, stdout: '7 calls: all responses are those of the run.\n' })
  })

  it('is red for a box without calls: nothing was compared', async () => {
    const { path } = await recorded()
    writeLines(
      path,
      linesOf(path).filter(line => !line.startsWith('{"call":')),
    )
    const { code, stdout } = await runCommand(['box', 'play', path])
    expect([code, stdout]).toEqual([1, '0 calls: nothing was compared.\n'])
  })

  it('says the first difference, and lists all by another version', async () => {
    const { path } = await recorded()
    const lines = linesOf(path).map(line =>
      line
        .replace(/^(\{"call":4,.*)"status":429,"digest":"\w+"/, '$1"status":200,"digest":"0"')
        .replace(/^(\{"call":7,.*"digest":")\w+/, '$10'),
    )
    writeLines(path, lines)
    const first =
      'Call 4 (default:4), GET /v1/pets: the run got 200, and now it gets 429. The key may make 60 calls a minute (plan free), and had made 60. The refused call used no quota.'
    const head = '7 calls: 2 with another response than in the run.'
    expect(await runCommand(['box', 'play', path])).toMatchObject({ code: 1, stdout: `${head}\n${first}\n` })
    const shown = await runCommand(['box', 'show', path])
    expect(shown.stdout).toContain('429 rate_limit_exceeded  not as in the run, which got 200  The key')
    writeLines(path, [(lines[0] ?? '').replace(/"version":"[^"]+"/, '"version":"0.0.9"'), ...lines.slice(1)])
    const { code, stdout } = await runCommand(['box', 'play', path])
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^By version \(the run: 0\.0\.9, here: .+\):$/),
      first,
      'Call 7 (default:6), GET /v1/pets: the status is 200 as in the run, but headers or body differ. listPets answered it.',
      '',
    ])
  })
})

describe('box open', () => {
  const open = async (path: string, ...flags: readonly string[]) => {
    const server = await serveOpened(path, flags)
    const call = async (key: string, target = '/pets') => {
      const response = await fetch(server.ready.url + target, { headers: { Authorization: `Bearer ${key}` } })
      await response.text()
      return { status: response.status, left: response.headers.get('X-RateLimit-Remaining') }
    }
    const admin = async (target: string) => (await fetch(server.ready.admin + target)).json()
    return { ...server, call, admin }
  }
  const serveOpened = (path: string, flags: readonly string[]) => serveJson(['box', 'open', path, ...flags])

  it.each([
    ['4', 'demo-free', { status: 429, left: '0' }],
    ['default:3', 'demo-free', { status: 200, left: '0' }],
    ['worker-3:1', 'demo-free+worker-3', { status: 200, left: '2' }],
    ['7', 'demo-free', { status: 200, left: '59' }],
  ])('serves what was there before call %s', async (at, key, answer) => {
    const { path } = await recorded()
    const server = await open(path, '--at', at)
    expect(await server.admin('/clock')).toMatchObject({ frozen: true })
    expect(await server.call(key)).toEqual(answer)
  })

  it('lets a client in with its own key, and explains the calls before', async () => {
    const { path } = await recorded()
    const [name = ''] = /key-1-[\da-f]{8}/.exec(linesOf(path).join('\n')) ?? []
    const server = await open(path, '--as', `${name}=${secret}`)
    await server.untilTold(new RegExp(`Keys of the run have names here: ${name} \\(plan pro\\)`))
    expect(await server.call(secret)).toEqual({ status: 200, left: '299' })
    expect(await server.call(`${secret}+worker-3`)).toEqual({ status: 200, left: '299' })
    expect(await server.call('unknown')).toMatchObject({ status: 401 })
    const { explanation } = (await server.admin('/requests/4')) as { explanation: { sentences: string[] } }
    expect(explanation.sentences[0]).toBe('GET /v1/pets returned 429 rate_limit_exceeded.')
    const { at } = (await server.admin('/clock')) as { at: string }
    await fetch(`${server.ready.admin}/clock/resume`, { method: 'POST' })
    await expect.poll(async () => ((await server.admin('/clock')) as { at: string }).at > at).toBe(true)
  })

  it.each([
    ['--at 99', '--at: there is no call 99: this box has the calls 1 to 7'],
    ['--at worker-3:2', '--at: the box has no such request; pet-mock box show lists all calls'],
    ['--at x', '--at: expected the number of a call, such as 37 or worker-3:12, found "x"'],
    ['--as key', '--as: expected NAME=KEY, such as key-1-0a1b2c3d=my-key'],
  ])('refuses %s', async (flags, message) => {
    const { path } = await recorded()
    const { code, stderr } = await runCommand(['box', 'open', path, ...flags.split(' ')])
    expect({ code, stderr: withoutPages(stderr) }).toEqual({ code: 2, stderr: `${message}\n` })
  })
})

describe('a file that is no whole box', () => {
  it.each<readonly [string, (bytes: Buffer, lines: readonly string[]) => Buffer | readonly string[], RegExp]>(
    [
      ['cut', bytes => bytes.subarray(0, 700), /: line \d+: the file is cut here$/],
      ['cut by one byte', bytes => bytes.subarray(0, -1), /: line \d+: the file is cut here$/],
      [
        'damaged',
        bytes => Buffer.concat([bytes.subarray(0, 500), Buffer.alloc(9, 7), bytes.subarray(509)]),
        /: line \d+: the file is damaged here/,
      ],
      [
        'foreign',
        () => Buffer.from('{"log":{}}'),
        /: line 1: the file is damaged here, or no box of pet-mock$/,
      ],
      ['foreign JSON in gzip', () => ['{"log":{}}'], /: line 1: this is no box of pet-mock$/],
      [
        'newer',
        (_bytes, [head = '', ...lines]) => [head.replace('"petbox":1', '"petbox":2'), ...lines],
        /: line 1: a newer pet-mock wrote this box \(format 2\)/,
      ],
      ['not UTF-8', () => gzipSync(Buffer.from([0x7b, 0xff, 0x7d])), /: line 1: the text is not UTF-8$/],
      [
        'with a line of another kind',
        (_bytes, lines) => [...lines.slice(0, 4), '{"shell":"rm"}'],
        /: line 5: this is no line of a box/,
      ],
      [
        'with a wrong value',
        (_bytes, lines) => [...lines.slice(0, 2), '{"headers":"0","list":[]}'],
        /: line 3: headers: /,
      ],
    ],
  )('%s is exit code 2, with the place', async (_name, change, message) => {
    const { path } = await recorded()
    const changed = change(readFileSync(path), linesOf(path))
    if (Buffer.isBuffer(changed)) writeFileSync(path, changed)
    else writeLines(path, changed as readonly string[])
    for (const command of ['show', 'play', 'open']) {
      const { code, stderr } = await runCommand(['box', command, path])
      expect(code).toBe(2)
      expect(withoutPages(stderr).trimEnd()).toMatch(message)
    }
  })

  it('two are needed for a comparison', async () => {
    const { path } = await recorded()
    const { code, stderr } = await runCommand(['box', 'diff', path])
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Expected: pet-mock box diff GREEN RED\n' })
  })

  it('none and a directory are exit code 2', async () => {
    const cwd = directoryWith({})
    for (const [path, reason] of [
      ['none.petbox', 'no such file'],
      ['.', 'it is a directory'],
    ]) {
      const { code, stderr } = await runCommand(['box', 'play', path ?? ''], { cwd })
      expect({ code, stderr: withoutPages(stderr) }).toEqual({
        code: 2,
        stderr: `${path} cannot be read (${reason})\n`,
      })
    }
  })
})

describe('serve --box', () => {
  const auth = { headers: { Authorization: 'Bearer demo-free' } }

  it('shows the connections that died, and plays without them', async () => {
    const late = 'rules: [{ match: { operation: listPets }, then: { delay: 5s } }]'
    const cwd = directoryWith({ 'late.yaml': late })
    const { ready } = await serveJson(['--scenario', './late.yaml', '--box', 'run.petbox'], { cwd })
    const head = 'Host: localhost\r\nAuthorization: Bearer demo-free\r\n'
    const dies = (request: string, isReset: boolean) =>
      new Promise(resolve => {
        const socket = connect(Number(new URL(ready.url).port), '127.0.0.1').on('close', resolve)
        socket.write(request)
        setTimeout(() => (isReset ? socket.resetAndDestroy() : socket.destroy()), 150)
      })
    await dies(`GET /v1/pets?api_key=sent-in-the-query HTTP/1.1\r\n${head}\r\n`, true)
    await dies(`POST /v1/pets HTTP/1.1\r\n${head}Content-Length: 99\r\n\r\n{"name`, true)
    await dies(`POST /v1/pets HTTP/1.1\r\n${head}Content-Length: 99\r\n\r\n{"name`, false)
    // An idle connection that closes is none.
    await dies(`GET /v1/pet/1 HTTP/1.1\r\n${head}\r\n`, false)
    await runCommand(['box', 'save', 'now.petbox', '--url', ready.url], { cwd })
    const { stdout } = await runCommand(['box', 'show', 'now.petbox'], { cwd })
    const notes = stdout.split('\n').filter(line => line.startsWith('   '))
    expect(notes).toEqual([
      '   The connection died before the response to GET /v1/pets.',
      '   The connection died in the middle of POST /v1/pets.',
      '   400 for 127.0.0.1: The connection was closed in the middle of the request.',
    ])
    expect(stdout).not.toContain('sent-in')
    expect((await runCommand(['box', 'play', 'now.petbox'], { cwd })).code).toBe(0)
  })

  it('gives its run so far, and writes it at the end', async () => {
    const cwd = directoryWith({})
    const { ready, child, ended } = await serveJson(['--box', 'run.petbox'], { cwd })
    await (await fetch(`${ready.url}/pets`, auth)).text()
    const { port } = new URL(ready.url)
    await new Promise(resolve => {
      connect(Number(port), '127.0.0.1')
        .on('data', () => {})
        .on('close', resolve)
        .end('GET / HTTP/1.1\r\nHost: a\r\nHost: b b\r\nX\r\n\r\n')
    })
    const saved = await runCommand(['box', 'save', 'now.petbox', '--url', ready.url], { cwd })
    expect(saved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^saved now\.petbox {2}[\d,]+ bytes\n$/),
    })
    const { stdout } = await runCommand(['box', 'show', 'now.petbox'], { cwd })
    expect(stdout).toMatch(/\n1 {2}default:1 .* 200 {2}listPets answered it\.\n/)
    expect(stdout).toMatch(/\n {3}400 for 127\.0\.0\.1: .+\n/)
    await (await fetch(`${ready.url}/pets`, auth)).text()
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(readdirSync(cwd).sort()).toEqual(['now.petbox', 'run.petbox'])
    expect(await runCommand(['box', 'play', 'run.petbox'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 calls/),
    })
  })

  it('that is killed leaves all but its last second', async () => {
    const cwd = directoryWith({})
    const { ready, child, ended } = await serveJson(['--box', 'run.petbox'], { cwd })
    await (await fetch(`${ready.url}/pets`, auth)).text()
    const partOf = () => readdirSync(cwd).find(name => name.endsWith('.tmp')) ?? ''
    await expect
      .poll(() => linesOf(join(cwd, partOf())).some(line => line.startsWith('{"call":1,')))
      .toBe(true)
    child.kill('SIGKILL')
    await ended
    copyFileSync(join(cwd, partOf()), join(cwd, 'left.petbox'))
    const { code, stdout, stderr } = await runCommand(['box', 'show', 'left.petbox'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'left.petbox has no end: pet-mock was killed after call 1, or soon after it.\n',
    })
    expect(stdout).toContain('1  default:1')
  })

  it('of a small --box-size has the newest calls', async () => {
    const cwd = directoryWith({})
    const { ready, child, ended } = await serveJson(['--box', 'run.petbox', '--box-size', '12KB'], { cwd })
    for (let round = 0; round < 6; round += 1) {
      for (let call = 0; call < 60; call += 1)
        await (await fetch(`${ready.url}/pets?limit=${1 + (call % 9)}&n=${Math.random()}`, auth)).text()
      await new Promise(resolve => setTimeout(resolve, 1_000))
    }
    child.kill('SIGTERM')
    await ended
    const bytes = readFileSync(join(cwd, 'run.petbox')).length
    expect(bytes).toBeLessThanOrEqual(12 * 1_024)
    const { stdout } = await runCommand(['box', 'show', 'run.petbox'], { cwd })
    expect(stdout).toMatch(/^Recorded .+ Calls before \d+ are gone: they were beyond --box-size\.\n/)
    expect(stdout).toMatch(/\n360 {2}default:360 /)
    expect(await runCommand(['box', 'play', 'run.petbox'], { cwd })).toMatchObject({ code: 0 })
  })

  it('without it, the server refuses and says how to start one', async () => {
    const { ready } = await serveJson()
    const ended = await runCommand(['box', 'save', 'x.petbox', '--url', ready.url], {
      cwd: directoryWith({}),
    })
    expect(ended).toMatchObject({
      code: 1,
      stderr: 'This server records no box. Start it with --box FILE, or a mock with the option box.\n',
    })
  })
})
