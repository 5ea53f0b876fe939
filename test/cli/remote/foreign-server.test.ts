import { readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { runCommand, spawnCommand } from '../../support/run-command.ts'

const health = JSON.stringify({ status: 'ok', name: 'pet-mock', version: '1', scenario: '\x1b[31mx\u202e' })

/** A server that says it is pet-mock, and answers all else as it likes. */
async function foreign(answer: RequestListener): Promise<string> {
  const { origin } = await listenHttp((request, response) => {
    if (request.url?.startsWith('/__admin/health')) response.end(health)
    else answer(request, response)
  })
  return origin
}

const commands = [
  ['clock'],
  ['clock', 'advance', '60s'],
  ['keys'],
  ['keys', 'add', 'a', 'free'],
  ['keys', 'delete', 'a'],
  ['requests'],
  ['requests', 'explain'],
  ['requests', 'explain', '1'],
  ['conduct'],
  ['reset'],
  ['requests', 'clear'],
]

/** C0 but line feeds, C1, directions, and what CI services run as commands. */
const active =
  /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|^\s*(?:::\w+[^:]*::|##(?:vso)?\[)/mu
const stack = /^\s+at .*:\d+/m

const evil =
  '::error::\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066\r\n::error title=x::boo ##vso[task.x]y ::stop-commands::z'

/** What pet-mock needs as it is to print an answer. */
const read = /^(?:id|severity|judge|scale|from|evicted|calls|count|used)$/

/** A pet-mock in whose answers all other texts and numbers are evil ones. */
async function evilServer(): Promise<string> {
  const mock = await startPetMock({ scenario: 'rate-limit-exhaustion' })
  onTestFinished(mock.close)
  const headers = { Authorization: `Bearer ${mock.key}` }
  for (let made = 0; made < 6; made += 1) await fetch(`${mock.url}/pets`, { headers })
  return foreign(async (request, response) => {
    const { url = '', method = 'GET' } = request
    const body = await text(request)
    const answer = await fetch(new URL(url, mock.url), {
      method,
      ...(body !== '' && { body, headers: { 'Content-Type': 'application/json' } }),
    })
    const spoil = (name: string, value: unknown) => {
      // A chart needs its numbers.
      if (name === 'flights') return []
      return read.test(name) || !/^(?:string|number)$/.test(typeof value) ? value : evil
    }
    response.end(JSON.stringify(await answer.json(), spoil))
  })
}

async function expectHarmless(words: readonly string[], origin: string, env = {}) {
  const { code, stdout, stderr } = await runCommand([...words, '--url', origin], { env })
  expect(stdout, words.join(' ')).not.toMatch(active)
  expect(stderr, words.join(' ')).not.toMatch(active)
  expect(stdout + stderr).not.toMatch(stack)
  return { code, stdout, stderr }
}

describe('a server that is not pet-mock', () => {
  it('gets nothing but text into a terminal', async () => {
    const origin = await evilServer()
    for (const words of commands) {
      const { stdout, stderr } = await expectHarmless(words, origin)
      expect(stdout + stderr, words.join(' ')).not.toBe('')
    }
    for (const words of [['keys'], ['conduct']]) await expectHarmless([...words, '--json'], origin)
  })

  it('gets nothing active into reports and annotations', async () => {
    const origin = await evilServer()
    const folder = directoryWith({})
    const files = ['json', 'xml', 'md', 'html'].map(extension => join(folder, `report.${extension}`))
    const { stderr } = await runCommand(
      ['conduct', '--url', origin, ...files.flatMap(file => ['--report', file])],
      { env: { GITHUB_ACTIONS: 'true' } },
    )
    // The finding, and calls that came too fast to be judged, if there were any.
    const own =
      /^::(?:error title=pet-mock conduct%3A early-retry|notice title=pet-mock conduct%3A unjudged)::/gm
    expect(stderr).toMatch(/^::error title=pet-mock conduct%3A early-retry::/)
    expect(stderr.match(/^::/gm)?.length).toBe(stderr.match(own)?.length)
    expect(stderr.replace(own, '')).not.toMatch(active)
    for (const file of files) expect(readFileSync(file, 'utf8').replaceAll('\t', '')).not.toMatch(active)
  })

  it.each<[name: string, answer: (response: ServerResponse) => void]>([
    ['a page', response => response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>')],
    ['nothing', response => response.end()],
    ['null', response => response.end('null')],
    ['a list', response => response.end('[]')],
    ['an empty object', response => response.end('{}')],
    [
      'other types',
      response => response.end('{"keys":1,"requests":"x","at":{},"sandboxes":[null],"findings":{}}'),
    ],
    ['an error without a message', response => response.writeHead(500).end('null')],
    ['an evil error', response => response.writeHead(400).end(JSON.stringify({ code: evil, message: evil }))],
    ['a redirect', response => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
    ['deep JSON', response => response.end(`{"keys":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)],
    [
      'half an answer',
      response => response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy()),
    ],
  ])('that answers with %s is named, without a stack', async (_name, answer) => {
    const origin = await foreign((_request, response) => answer(response))
    for (const words of [['clock'], ['requests', 'explain'], ['conduct']]) {
      const { code, stderr } = await expectHarmless(words, origin)
      expect(code, words.join(' ')).toBeGreaterThan(0)
      expect(stderr.length).toBeLessThan(3_000)
    }
  })

  it.each([
    ['plain', {}, Buffer.alloc(70 * 1_048_576, 0x20), 'longer than 64 MiB'],
    [
      'compressed',
      { 'Content-Encoding': 'gzip' },
      gzipSync(Buffer.alloc(300 * 1_048_576, 0x20)),
      'is not from pet-mock',
    ],
  ])('cannot fill the memory: %s', async (_how, headers, bomb, told) => {
    const origin = await foreign((_request, response) => response.writeHead(200, headers).end(bomb))
    const env = { NODE_OPTIONS: '--max-old-space-size=256' }
    const { code, stderr } = await expectHarmless(['clock'], origin, env)
    expect(code).toBe(3)
    expect(stderr).toContain(told)
  })

  it('cannot fill the memory by an endless health or an endless event', async () => {
    const pour = (response: ServerResponse) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) {}
        response.once('drain', more)
      }
      more()
    }
    const { origin: endless } = await listenHttp((_request, response) => pour(response.writeHead(200)))
    const env = { NODE_OPTIONS: '--max-old-space-size=256' }
    const { code, stderr } = await expectHarmless(['clock'], endless, env)
    expect([code, stderr]).toEqual([3, expect.stringContaining('is not a pet-mock')])
    const origin = await foreign((request, response) =>
      request.url?.includes('/events') ? pour(response) : response.end('{}'),
    )
    const followed = await expectHarmless(['requests', '--follow'], origin, env)
    expect([followed.code, followed.stderr]).toEqual([3, expect.stringContaining('is not pet-mock')])
  })

  it('that ends its events at once is not asked for ever', async () => {
    let asked = 0
    const origin = await foreign((_request, response) => {
      asked += 1
      response.end()
    })
    expect((await expectHarmless(['requests', '--follow'], origin)).code).toBe(3)
    expect(asked).toBe(1)
  })

  it('is not followed to another one', async () => {
    let isReached = false
    const other = await foreign((_request, response) => {
      isReached = true
      response.end('{}')
    })
    const origin = await foreign((_request, response) => response.writeHead(307, { Location: other }).end())
    await expectHarmless(['reset', '--admin-token', 'secret'], origin)
    expect(isReached).toBe(false)
  })

  it.each([200, 400])('shows its walkthrough without escape codes, if its plane answers %i', async status => {
    const origin = await foreign((request, response) => {
      response.setHeader('X-RateLimit-Limit', '\x9b31m')
      response.writeHead(request.url?.includes('__admin') ? status : 418, {
        'Content-Type': 'application/json',
      })
      response.end(JSON.stringify({ code: evil, message: evil }))
    })
    const run = spawnCommand([
      'scenarios',
      'play',
      'rate-limit-exhaustion',
      '--against',
      `${origin}/v1`,
      '--max-time',
      '1s',
    ])
    const { stdout, stderr } = await run.ended
    expect(stdout + stderr).not.toMatch(active)
    expect(stdout + stderr).not.toMatch(stack)
  })
})
