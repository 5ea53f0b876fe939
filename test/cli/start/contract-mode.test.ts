import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runHere, serveJson } from '../../support/run-command.ts'

/** A rule of the user's own that answers with a pet that is none. */
const broken = `extends: free-plan
rules:
  - match: { operation: getPet }
    then: { status: 200, body: { id: 1, name: Rex, categoryId: 1, status: lost } }
`
const scenarioFile = () => `${directoryWith({ 'broken.yaml': broken })}/broken.yaml`

/** A command that makes these calls, and ends with an exit code. */
function calls(targets: readonly string[], exitCode = 0): readonly string[] {
  const text = `const { PET_MOCK_URL: url, PET_MOCK_KEY: key } = process.env
    for (const target of ${JSON.stringify(targets)})
      await (await fetch(url + target, { headers: { Authorization: 'Bearer ' + key } })).text()
    process.exitCode = ${exitCode}`
  return ['--', process.execPath, '--input-type=module', '-e', text]
}

const lost =
  'GET /v1/pets/1 → 200  Response body property status must be equal to one of the allowed values: available, pending, sold'

describe('exec', () => {
  const fine = [
    '/pets',
    '/pets/1',
    '/pets/999',
    '/nothing',
    '/pets?limit=0',
    '/store/orders',
    '/pets?limit=100',
  ]

  it('says nothing of what keeps the contract', async () => {
    const { code, stderr } = await runHere(['exec', '--contract', ...calls(fine)])
    expect(code).toBe(0)
    expect(stderr).not.toContain('contract-')
  })

  it.each([
    [[], 0, []],
    [
      ['--contract'],
      1,
      ['The contract: 1 error', '✕ error  contract-body', lost, 'and 1 more', '3 calls; 2 broke'],
    ],
    [['--contract', '--no-contract'], 0, []],
  ])('with %j, the exit code is %i', async (flags, exitCode, told) => {
    const three = calls(['/pets', '/pets/1', '/pets/1'])
    const { code, stderr } = await runHere(['exec', '-s', scenarioFile(), ...flags, ...three])
    expect(code).toBe(exitCode)
    for (const line of told) expect(stderr).toContain(line)
    expect(stderr.includes('contract')).toBe(told.length > 0)
  })

  it.each([
    ['a breach is an error', ['--contract', '--fail-on', 'error'], 1],
    ['--fail-on ID=never lets one breach pass', ['--contract', '--fail-on', 'contract-body=never'], 0],
    ['--fail-on never lets --contract pass', ['--contract', '--fail-on', 'never'], 0],
  ])('%s', async (_, flags, exitCode) => {
    const { code } = await runHere(['exec', '-s', scenarioFile(), ...flags, ...calls(['/pets/1'])])
    expect(code).toBe(exitCode)
  })

  it('writes both verdicts into a report', async () => {
    const folder = directoryWith({})
    const flags = ['-s', scenarioFile(), '--contract', '--report', `${folder}/report.json`]
    await runHere(['exec', ...flags, ...calls(['/pets/1'])])
    const { failed, reports } = JSON.parse(readFileSync(`${folder}/report.json`, 'utf8'))
    expect(failed).toBe(true)
    expect(reports).toMatchObject([
      { judge: 'conduct' },
      {
        judge: 'contract',
        findings: [{ id: 'contract-body', evidence: [{ request: 1, sandbox: 'default' }] }],
      },
    ])
  })

  const closed = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: Pets.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
components:
  schemas:
    Pet:
      type: object
      additionalProperties: false
      properties: { id: { type: integer }, name: { type: string }, categoryId: { type: integer } }
`
  const injecting = `extends: free-plan
pets: { count: 1 }
rules: [{ then: { status: 200, body: [{ id: 1, name: Rex, categoryId: 1, breed: Beagle }] } }]
`

  it.each([
    [
      'members of the fixtures',
      'extra: true\npets: [{ id: 4711, name: Rex, categoryId: 1, breed: Beagle }]',
      [],
      0,
      '',
    ],
    [
      'a status that the file does not name',
      '[{ name: Rex, categoryId: 1, status: sold }]',
      [],
      1,
      "found 'status'",
    ],
    ['such a member that a rule injects', '[]', ['-s', 'scenario.yaml'], 1, "found 'breed'"],
  ])('judges %s by a file whose pets have no other', async (_, pets, flags, exitCode, told) => {
    const cwd = directoryWith({ 'f/pets.yaml': pets, 'closed.yaml': closed, 'scenario.yaml': injecting })
    const files = ['--fixtures', `${cwd}/f`, '--openapi', `${cwd}/closed.yaml`, '--pets', '1']
    const chosen = flags.map(flag => flag.replace('scenario', `${cwd}/scenario`))
    const { code, stderr } = await runHere(['exec', '--contract', ...chosen, ...files, ...calls(['/pets'])])
    expect([code, stderr.includes(told)]).toEqual([exitCode, true])
  })

  it("keeps the command's own exit code when that reports a failure", async () => {
    const ended = await runHere(['exec', '-s', scenarioFile(), '--contract', ...calls(['/pets/1'], 7)])
    expect(ended.code).toBe(7)
  })

  it('prints each breach beside its call, with a log', async () => {
    const flags = ['-s', scenarioFile(), '--contract', '--log-format', 'pretty']
    const { stderr } = await runHere(['exec', ...flags, ...calls(['/pets/1'])])
    expect(stderr).toMatch(/GET \/v1\/pets\/1 +breaks the contract: Response body property status must be/)
    expect(stderr).toContain('The contract: 1 error')
  })
})

describe('serve', () => {
  it('has the breaches in its log and its journal', async () => {
    const { ready, until } = await serveJson(['-s', scenarioFile(), '--contract'])
    await fetch(`${ready.url}/pets/1`, { headers: { Authorization: 'Bearer demo-free' } })
    const [line] = await until(/^\{"event":"contract".*$/m)
    const breach = {
      side: 'response',
      part: 'body',
      place: 'status',
      message: lost.slice(lost.indexOf('Response')),
    }
    const told = {
      event: 'contract',
      id: 1,
      sandbox: 'default',
      method: 'GET',
      target: '/v1/pets/1',
      status: 200,
    }
    expect(JSON.parse(line)).toEqual({ ...told, breaches: [breach] })
    expect(await (await fetch(`${ready.admin}/requests`)).json()).toMatchObject({
      requests: [{ id: 1, breaches: [breach] }],
    })
    const sentences = expect.arrayContaining([`It breaks the contract: ${breach.message}.`])
    expect(await (await fetch(`${ready.admin}/requests/1`)).json()).toMatchObject({
      explanation: { sentences },
    })
  })
})
