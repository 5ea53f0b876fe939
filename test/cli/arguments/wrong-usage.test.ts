import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isGroup } from '../../../src/cli/arguments/command.ts'
import { commands } from '../../../src/cli/commands.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { directoryWith } from '../../support/directory.ts'
import { type RunOptions, runCommand, serveJson, withoutPages } from '../../support/run-command.ts'

const shipped = [...shippedScenarios.keys()].join(', ')

/** The complaints of a command that must refuse to start. */
async function complaintsOf(line: string, options?: RunOptions): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runCommand(
    ['--port', '0', ...line.split(' ').filter(word => word !== '')],
    options,
  )
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  return withoutPages(stderr).trimEnd().split('\n')
}

describe('exit code 2, without a start, and every complaint', () => {
  it('about a scenario that is not shipped', async () => {
    expect(await complaintsOf('--scenario fre-plan')).toEqual([
      `--scenario: "fre-plan" is neither a shipped scenario nor a file. Did you mean free-plan? Shipped scenarios: ${shipped}.`,
    ])
  })

  it('about a file without its extension', async () => {
    const cwd = directoryWith({ 'nearly.yaml': 'extends: ban' })
    expect(await complaintsOf('--scenario nearly', { cwd })).toEqual([
      expect.stringContaining('neither a shipped scenario nor a file. Did you mean nearly.yaml? '),
    ])
  })

  it('about flags, variables and the scenario at once', async () => {
    const env = { PET_MOCK_SCENARIO: 'bam', PET_MOCK_SEED: '-1' }
    expect(await complaintsOf('srve --prot 80 --pets many --log-format xml', { env })).toEqual([
      '"srve" is not a command; did you mean serve?',
      '--prot is not a flag of this command; did you mean --port?',
      '--pets: expected a whole number of pets from 0 to 1000000, found "many"',
      'PET_MOCK_SEED: expected a whole number (0 or more), found "-1"',
      '--log-format: expected one of pretty, json, silent, found "xml"',
      `PET_MOCK_SCENARIO: "bam" is neither a shipped scenario nor a file. Did you mean ban? Shipped scenarios: ${shipped}.`,
    ])
  })

  it.each([
    ['-h 0.0.0.0', '-h shows help; did you mean --host 0.0.0.0?'],
    ['--quiet', '--quiet is not a flag of this command; did you mean --log-format silent?'],
    ['--open', '--open is not a flag of this command; did you mean the key o, which opens the dashboard?'],
    [
      '-s rate-limit',
      `--scenario: "rate-limit" is neither a shipped scenario nor a file. Did you mean rate-limit-exhaustion? Shipped scenarios: ${shipped}.`,
    ],
  ])('about a habit from another tool: %s', async (line, complaint) => {
    expect(await complaintsOf(line)).toEqual([complaint])
  })

  it.each([
    ['--openapi-only Charges', '--openapi-only needs --openapi FILE'],
    ['--latency', '--latency needs --profile FILE'],
    ['--box-size 1MB', '--box-size needs --box FILE'],
    ['exec --box-when always -- true', '--box-when needs --box FILE'],
    ['exec --allow-assumed limits.window -- true', '--allow-assumed needs --require observed|inferred'],
  ])('about a flag without the one that gives it a meaning: %s', async (line, complaint) => {
    expect(await complaintsOf(line)).toEqual([complaint])
  })

  it.each([
    [
      'exec -s mine.yaml --box ./mine.yaml -- true',
      '--box would write ./mine.yaml, which --scenario names, too: choose another file',
    ],
    [
      'exec --box st.json --state st.json --report r.json -- true st.json r.json',
      '--state would write st.json, which --box names, too: choose another file',
    ],
    [
      'compare-plans log.json --report log.json',
      '--report would write log.json, which the command names, too: choose another file',
    ],
    [
      'rehearse --baseline b.json --write-baseline b.json --report b.json -- true',
      '--report would write b.json, which --baseline names, too: choose another file',
    ],
  ])('about a file that is written and has another use: %s', async (line, complaint) => {
    const { code, stderr } = await runCommand(line.split(' '))
    expect(code).toBe(2)
    expect(stderr).toContain(`${complaint}\n`)
  })

  it.each(
    commands
      .flatMap(one => (isGroup(one) ? one.commands.map(({ name }) => `${one.name} ${name}`) : [one.name]))
      .filter(line => line !== 'completion suggest'),
  )('about a flag that no command has: %s', async line => {
    const { code, stderr } = await runCommand([...line.split(' '), '--nonsense', 'word'])
    expect(code).toBe(2)
    expect(stderr).toContain('--nonsense is not a flag of this command')
  })

  it('about pets of a fleet without a scenario, which alone takes them', async () => {
    const { code, stderr } = await runCommand(
      'fleet --instances 2 --demand 9/h --fixtures pets.yaml'.split(' '),
    )
    expect(code).toBe(2)
    expect(stderr).toContain('--fixtures needs a scenario, by --scenario or in the file of the fleet\n')
  })

  it('not about such a variable: it may be for other runs', async () => {
    const env = { PET_MOCK_BOX_SIZE: '1MB', PET_MOCK_PETS: 'many' }
    expect(await complaintsOf('', { env })).toEqual([expect.stringMatching(/^PET_MOCK_PETS: /)])
  })

  it('about the -h of another command, without --', async () => {
    const [complaint] = await complaintsOf('exec psql -h 127.0.0.1')
    expect(complaint).toMatch(/ exec -- psql -h 127\.0\.0\.1$/)
  })

  it('about flags that npm took', async () => {
    const afterDashes = 'With npm, put flags after --: npm start --'
    expect(await complaintsOf('', { env: { npm_config_scenario: 'ban' } })).toEqual([
      `npm took --scenario for itself. ${afterDashes} --scenario ban`,
    ])
    expect(await complaintsOf('ban', { env: { npm_config_scenario: 'true' } })).toEqual([
      `"ban" is not a command; did you mean --scenario ban? ${afterDashes} --scenario ban`,
      `npm took --scenario for itself. ${afterDashes} --scenario NAME|FILE`,
    ])
    const given = { npm_config_port: '80', npm_config_scenario: 'ban' }
    expect(await complaintsOf('--scenario bam', { env: given })).toEqual([
      expect.stringMatching(/^--scenario: "bam" is neither a shipped scenario nor a file/),
    ])
  })

  it('about a key with an unknown plan', async () => {
    expect(await complaintsOf('--add-key a=fre --add-key b=pro')).toEqual([
      '--add-key: unknown plan "fre"; did you mean free?',
    ])
    expect(await complaintsOf('-s ban', { env: { PET_MOCK_ADD_KEY: 'a=fre' } })).toEqual([
      'PET_MOCK_ADD_KEY: unknown plan "fre"; did you mean free?',
    ])
  })

  it('about flags that contradict the scenario', async () => {
    const [complaint] = await complaintsOf('-s not-found --pets 12')
    expect(complaint).toMatch(/^not-found with these flags: pets\.gone\[3\]: no pet ever had the id 13/)
  })

  it('about a scenario file, with line and column', async () => {
    const text = 'title: Bad\nplans:\n  free: { minute: many }\nkee: demo-free\n'
    const cwd = directoryWith({ 'bad.yaml': text })
    expect(await complaintsOf('--scenario bad.yaml', { cwd })).toEqual([
      expect.stringMatching(/^bad\.yaml:3:\d+: plans\.free\.minute: expected .+, found "many"$/),
      'bad.yaml:4:1: kee: unknown field; did you mean key?',
    ])
  })

  it('about a missing file, with its directory', async () => {
    const cwd = directoryWith({ 'sub/mine.yaml': 'title: Mine\n' })
    expect(await complaintsOf('-s ./no-such', { cwd })).toEqual([
      `--scenario: there is no file ./no-such in ${cwd}`,
    ])
    expect(await complaintsOf('-s ban.yaml', { cwd })).toEqual([
      `--scenario: there is no file ban.yaml in ${cwd}; did you mean ban?`,
    ])
    expect(await complaintsOf('', { cwd, env: { PET_MOCK_SCENARIO: '/no/such.yaml' } })).toEqual([
      'PET_MOCK_SCENARIO: there is no file /no/such.yaml',
    ])
    expect(await complaintsOf('-s sub', { cwd })).toEqual([
      `--scenario: sub in ${cwd} is a directory, not a file`,
    ])
    const checked = await runCommand(['scenarios', 'validate', 'nope.yaml'], { cwd })
    expect(checked).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`there is no file nope.yaml in ${cwd}\nMore: `),
    })
  })

  it('about files that are not text', async () => {
    const cwd = directoryWith({ 'empty.yaml': ' \n', 'f/orders.yaml': '', 'f/keys.yaml': 'mine: free\n' })
    const latin1 = Buffer.concat([Buffer.from('title: é\nextends: caf'), Buffer.of(0xe9, 0x0a)])
    writeFileSync(join(cwd, 'latin1.yaml'), latin1)
    writeFileSync(join(cwd, 'utf16.yaml'), Buffer.from('\ufefftitle: x\n', 'utf16le'))
    writeFileSync(join(cwd, 'f/pets.yaml'), Buffer.of(0x2d, 0x20, 0xff))
    writeFileSync(join(cwd, 'extends.yaml'), 'extends: ./latin1.yaml\n')
    const notUtf8 = 'this byte is not valid UTF-8: save the file as UTF-8'
    expect(await complaintsOf('-s latin1.yaml', { cwd })).toEqual([`latin1.yaml:2:13: ${notUtf8}`])
    expect(await complaintsOf('-s extends.yaml', { cwd })).toEqual([`latin1.yaml:2:13: ${notUtf8}`])
    expect(await complaintsOf('-s utf16.yaml', { cwd })).toEqual([
      'utf16.yaml:1:1: the file is UTF-16: save it as UTF-8',
    ])
    expect(await complaintsOf('-s empty.yaml', { cwd })).toEqual(['empty.yaml:1:1: the file is empty'])
    expect((await complaintsOf('--fixtures f', { cwd })).toSorted()).toEqual([
      'f/orders.yaml:1:1: the file is empty',
      `f/pets.yaml:1:3: ${notUtf8}`,
    ])
  })

  it('about fixtures', async () => {
    const cwd = directoryWith({ 'pets.yaml': '- { name: 5, categoryId: 1 }\n', 'kees.yaml': 'a: free\n' })
    expect([...(await complaintsOf('--fixtures .', { cwd }))].sort()).toEqual([
      expect.stringMatching(/kees\.yaml:1:1: .*keys\.yaml/),
      expect.stringMatching(/pets\.yaml:1:\d+: .*name: expected text, found 5/),
    ])
    expect(await complaintsOf('--fixtures no-such')).toEqual([
      expect.stringMatching(/^--fixtures: there is no directory no-such in \/./),
    ])
  })
})

describe('a valid file is served', () => {
  it('when npm runs the command in another directory', async () => {
    const cwd = directoryWith({
      'sub/mine.yaml': 'title: Typed there\n',
      'sub/f/keys.yaml': 'mine: pro\ndemo-free: free\n',
      'here.yaml': 'title: Here\n',
      'sub/here.yaml': 'title: There\n',
    })
    const env = { INIT_CWD: join(cwd, 'sub') }
    const typed = await serveJson(['-s', 'mine.yaml', '--fixtures', 'f'], { cwd, env })
    expect(typed.ready).toMatchObject({ scenario: join(cwd, 'sub/mine.yaml'), keys: { mine: 'pro' } })
    expect((await serveJson(['-s', 'here.yaml'], { cwd, env })).ready.scenario).toBe('here.yaml')
  })

  it('with the settings of flags', async () => {
    const cwd = directoryWith({
      'mine.yaml':
        'extends: ban\ntitle: Mine\nclock: { at: 2026-03-02T09:00:00Z, scale: 30 }\npets: { firstId: 7 }\n',
    })
    const args = ['-s', 'mine.yaml', '--pets', '3', '--add-key', 'my-app=pro', '--clock', 'frozen']
    const { ready } = await serveJson(args, { cwd })
    expect(ready).toMatchObject({ scenario: 'mine.yaml', key: 'demo-free', keys: { 'my-app': 'pro' } })
    const response = await fetch(`${ready.url}/pets`, { headers: { Authorization: 'Bearer my-app' } })
    expect(response.headers.get('date')).toBe('Mon, 02 Mar 2026 09:00:00 GMT')
    expect(await response.json()).toMatchObject([{ id: 7 }, { id: 8 }, { id: 9 }])
  })

  it('when it is a fixture of keys', async () => {
    const cwd = directoryWith({ 'keys.yaml': 'only: pro\ndemo-free: free\n', 'README.md': '{' })
    const { ready } = await serveJson(['--fixtures', '.'], { cwd })
    expect(ready.keys).toEqual({ only: 'pro', 'demo-free': 'free' })
  })
})
