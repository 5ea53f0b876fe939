import { readFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

/** Starts pet-mock behind a proxy that may alter its responses. */
async function behind(
  alter: (text: string, reply: IncomingMessage) => string,
  args: readonly string[] = [],
): Promise<string> {
  const { ready } = await serveJson(args)
  const target = new URL(ready.url)
  const forward = (call: IncomingMessage, answer: ServerResponse) => {
    const { method, url: path, headers } = call
    const { hostname, port } = target
    const onward = request({ hostname, port, method, path, headers }, async reply => {
      let text = ''
      for await (const chunk of reply) text += chunk
      const body = alter(text, reply)
      const { 'content-length': _length, ...others } = reply.headers
      answer.writeHead(reply.statusCode ?? 0, others)
      answer.end(body)
    })
    call.pipe(onward)
  }
  const { origin } = await listenHttp(forward)
  return `${origin}/v1`
}

describe('a service that passes', () => {
  it('is pet-mock itself, with every documented response', async () => {
    // On a frozen clock no window resets.
    const { ready } = await serveJson(['--clock', 'frozen'])
    const flags = ['--key', 'demo-free', '--exhaust', '--max-time', '50s']
    const { code, stdout, stderr } = await runCommand(['check', ready.url, ...flags])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // Retry-After is longer than --max-time.
    expect(stdout).toContain(`Check of ${ready.url}: 1 not judged\n`)
    expect(stdout).toContain('15 of 15 documented ones seen')
    expect(stdout).not.toContain('demo-free')
  })

  it.each([['pro'], ['business'], ['enterprise']])('with the plan %s', async plan => {
    const { ready } = await serveJson()
    const flags = ['--key', `demo-${plan}`, '--plan', plan, '--json', '--seed', '3']
    const { code, stdout } = await runCommand(['check', ready.url, ...flags])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ failed: false, seed: 3, report: { findings: [] } })
  })

  it('lists the checks that passed with --verbose only', async () => {
    const { ready } = await serveJson()
    const check = (plan: string) => ['check', ready.url, '--key', `demo-${plan}`, '--plan', plan]
    expect((await runCommand(check('pro'))).stdout).not.toContain('✓')
    const verbose = await runCommand([...check('business'), '--verbose'])
    expect(verbose.stdout).toMatch(/^✓ +auth-missing +\d+ passed /m)
  })

  it('is the server of exec by default', async () => {
    const check = [process.execPath, 'dist/pet-mock.cjs', 'check', '--json']
    const { code, stdout } = await runCommand(['exec', '-s', 'orders', '--', ...check])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ failed: false, report: { findings: [] } })
  })
})

describe('a service with a fault', () => {
  const oneMore = (text: string, { statusCode }: IncomingMessage) =>
    statusCode === 200 && text.startsWith('[') ? text.replace(/^\[(\{[^}]*\})/, '[$1,$1') : text

  it('is reported with its check, the smallest request and a curl line', async () => {
    const url = await behind(oneMore)
    const { code, stdout } = await runCommand(['check', url, '--key', 'demo-free'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^✕ +list-ids-unique +(\d+) of \1 failed /m)
    expect(stdout).toMatch(/^✕ +list-limit +\d+ of \d+ failed /m)
    expect(stdout).toMatch(/error +list-limit\n/)
    expect(stdout).toMatch(/GET \/v1\/pets\?limit=1 → 200 +2 animals, at most 1 allowed/)
    expect(stdout).toContain(`curl -i -H "Authorization: bearer $KEY" '${url}/pets?limit=1'`)
  })

  it('is in report files, too', async () => {
    const folder = directoryWith({})
    const url = await behind(oneMore)
    const files = ['json', 'xml', 'md', 'html'].map(ending => `${folder}/report.${ending}`)
    const reports = files.flatMap(file => ['--report', file])
    await runCommand(['check', url, '--key', 'demo-free', ...reports])
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
      expect(text).toContain('list-ids-unique')
      expect(text).not.toContain('demo-free')
    }
  })

  it('that breaks an assumption is a note, and an error with --strict', async () => {
    const folder = directoryWith({ 'mine.yaml': 'extends: free-plan\npagination: none\npageSize: clamp\n' })
    const { ready } = await serveJson(['-s', `${folder}/mine.yaml`])
    const flags = (key: string) => ['check', ready.url, '--key', key, '--json']
    const lenient = await runCommand(flags('demo-free+lenient'))
    const strict = await runCommand([...flags('demo-free+strict'), '--strict'])
    const findings = ['list-limit-refused', 'page-cursor-refused', 'page-linked'].map(id => ({ id }))
    expect([lenient.code, strict.code]).toEqual([0, 1])
    expect(JSON.parse(lenient.stdout)).toMatchObject({ failed: false, report: { findings } })
    expect(JSON.parse(strict.stdout)).toMatchObject({ failed: true, report: { findings } })
  })

  it('shows a key that the command generated, so that its curl line repeats the call', async () => {
    const { origin } = await listenHttp((_call, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')
    })
    const { stdout } = await runCommand(['check', `${origin}/v1`, '--key', 'demo-free'])
    expect(stdout).toContain(`curl -i -H 'Authorization: Basic cGV0OnBldA==' '${origin}/v1/pets'`)
  })

  it('never shows the key, even if the service repeats it', async () => {
    const url = await behind((text, { statusCode }) => (statusCode === 404 ? '"demo-free"' : text))
    const { code, stdout } = await runCommand(['check', url, '--key', 'demo-free'])
    expect(code).toBe(1)
    expect(stdout).toContain('contract-body')
    expect(stdout).not.toContain('demo-free')
  })
})

it('creates pets on this machine only, unless --allow-writes', async () => {
  const { ready } = await serveJson(['--host', '0.0.0.0', '--admin-token', 'secret'])
  const elsewhere = `http://0.0.0.0:${new URL(ready.url).port}/v1`
  const check = async (...flags: readonly string[]) => {
    const { code, stdout } = await runCommand([
      'check',
      elsewhere,
      '--key',
      'demo-business',
      '--plan',
      'business',
      '--json',
      ...flags,
    ])
    expect(code).toBe(0)
    return JSON.parse(stdout).seen.includes('createPet 201')
  }
  expect([await check(), await check('--allow-writes')]).toEqual([false, true])
})

describe('wrong usage', () => {
  const url = 'http://127.0.0.1:7387/v1'
  it.each([
    ['no URL', ['--key', 'k'], 'Expected: pet-mock check URL, such as http://127.0.0.1:7387/v1'],
    ['no key', [url], '--key is missing: give the API key to call with'],
    [
      'a word that is not a URL',
      ['here', '--key', 'k'],
      'URL: expected a URL, such as http://127.0.0.1:7387/v1, found "here"',
    ],
    [
      'an unknown plan',
      [url, '--key', 'k', '--plan', 'fre'],
      '--plan: expected one of free, pro, business, enterprise, found "fre"; did you mean free?',
    ],
    [
      'too few calls',
      [url, '--key', 'k', '--exhaust', '--max-calls', '50'],
      '--max-calls 50 is too few: --exhaust alone may take 70 calls on the plan free',
    ],
    ['a missing contract', [url, '--key', 'k', '--openapi', 'gone.yaml'], /^there is no file gone\.yaml in /],
    [
      'a report with an unknown extension',
      [url, '--key', 'k', '--report', 'r.txt'],
      /^--report: expected a file name that ends in \.json/,
    ],
  ])('%s', async (_, args, complaint) => {
    const { code, stderr } = await runCommand(['check', ...args])
    expect(code).toBe(2)
    expect(stderr.trimEnd()).toEqual(
      typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
    )
  })

  it('an unreachable service', async () => {
    const { origin, close } = await listenHttp(() => {})
    await close()
    const { code, stderr } = await runCommand(['check', `${origin}/v1`, '--key', 'k'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/^No service answers at http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/)
  })
})

it("checks a service by a user's contract, with its operations", async () => {
  const contract = `openapi: 3.1.0
info: { title: Mine, version: '1' }
paths:
  /pets: { get: { operationId: listPets, responses: { '200': { description: A list, content: { application/json: { schema: { type: array, items: { type: object, required: [born] } } } } } } } }
  /owners: { get: { operationId: listOwners, responses: { '200': { description: A list } } } }
`
  const folder = directoryWith({ 'openapi.yaml': contract })
  const { ready } = await serveJson()
  const flags = ['--key', 'demo-free', '--openapi', `${folder}/openapi.yaml`, '--json']
  const { code, stdout } = await runCommand(['check', ready.url, ...flags])
  expect(code).toBe(1)
  const { unseen, report } = JSON.parse(stdout)
  expect(unseen).toEqual(['listOwners 200'])
  expect(report.findings).toMatchObject([
    {
      id: 'contract-body',
      evidence: [{ detail: expect.stringContaining("must have required property 'born'") }],
    },
  ])
})
