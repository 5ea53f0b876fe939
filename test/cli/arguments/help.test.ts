import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src/cli/arguments/command-line.ts'
import { variableOf } from '../../../src/cli/arguments/flag.ts'
import { formatHelp, groups } from '../../../src/cli/arguments/help.ts'
import { commands } from '../../../src/cli/commands.ts'
import { runCommand, runProcess } from '../../support/run-command.ts'

async function printed(line: string, columns = 100): Promise<string> {
  const read = readCommandLine(line.split(' '), commands)
  if (read.kind !== 'help') throw new Error('It prints no help')
  return await formatHelp(read, columns)
}

// test/golden has the text of each --help.
describe('--help', () => {
  it('shows the groups of flags in one order', async () => {
    const sections = commands.flatMap(({ section = [] }) => section)
    const notFlags = ['Commands:', 'Other:', 'Examples:', ...sections]
    const lines = commands.flatMap(one =>
      'commands' in one ? one.commands.map(({ name }) => `${one.name} ${name}`) : [one.name],
    )
    for (const line of lines) {
      const titles = (await printed(`${line} --help`)).match(/^\S.*:$/gm) ?? []
      const shown = titles.filter(title => !notFlags.includes(title) && title.length < 20)
      expect([line, shown]).toEqual([line, groups.filter(group => shown.includes(group))])
    }
  })

  it('has one line for each command at 80 columns', async () => {
    const [, list = ''] = /^Serve:([\s\S]*?)^Scenario:/m.exec(await printed('--help', 80)) ?? []
    const names = list.match(/^ {2}\S+/gm)?.map(line => line.trim())
    expect(names).toEqual(commands.map(({ name }) => name))
    expect(list.split('\n').filter(line => /^ {3}/.test(line))).toEqual([])
  })

  it('of a group is the same without the flag', async () => {
    expect(await printed('scenarios')).toBe(await printed('scenarios --help'))
  })

  it('of exec shows its own defaults and where the other command begins', async () => {
    const help = await printed('exec --help')
    expect(help).toMatch(/^pet-mock exec \[flags\] -- COMMAND…\n/)
    expect(help).toMatch(/--port PORT .*\[0\]$/m)
    expect(help).toMatch(/--log-format pretty\|json\|silent .*\[silent\]$/m)
    expect(help).toMatch(/^ +--env NAME=url\|key\|admin /m)
  })

  it('wraps a long description within its column', async () => {
    expect(await printed('exec --help', 80)).toMatch(
      /^ {6}--fail-on {2,}which findings .+\n {6}error\|warning\|never\|unjudged\|ID {2,}\S/m,
    )
  })

  it('puts long examples below their descriptions', async () => {
    expect(await printed('exec --help', 80)).toContain(
      '\n  # tests that read API_URL and API_KEY\n  pet-mock exec --env API_URL=url --env API_KEY=key -- npm test\n',
    )
  })

  it.each([40, 60, 80, 110, 300])('fits into %d columns', async columns => {
    const widths = (await printed('--help', columns)).split('\n').map(line => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.min(columns, 110))
  })

  it.each(['-h', 'help', '--port x --help', '--prot --help', 'srve --help'])(
    'is the same for pet-mock %s',
    async line => {
      expect(await printed(line)).toBe(await printed('--help'))
    },
  )

  it('has at most 64 lines, five groups of commands and five flags of the server', async () => {
    const lines = (await printed('--help', 80)).split('\n')
    expect(lines.length).toBeLessThanOrEqual(64)
    expect(new Set(commands.map(({ section }) => section)).size).toBe(5)
    expect(lines.filter(line => /^ {2}[- ]{4}--/.test(line) || /^ {2}-[^hv], --/.test(line))).toHaveLength(5)
  })

  it.each([
    ['help serve', 'serve --help'],
    ['help pets', 'pets --help'],
    ['help pets add', 'pets add --help'],
  ])('pet-mock %s is the same as pet-mock %s', async (line, same) => {
    expect(await printed(line)).toBe(await printed(same))
  })

  it('help --all has the help of every command', async () => {
    const all = await printed('help --all')
    for (const one of commands)
      for (const line of 'commands' in one
        ? one.commands.map(({ name }) => `${one.name} ${name}`)
        : [one.name])
        expect(all).toContain(await printed(`${line} --help`))
  })

  it('goes to stdout, without colours, with exit code 0', async () => {
    const { code, stdout, stderr } = await runCommand(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${await printed('--help', 80)}\n`)
  })

  it('has colours in a pipe where FORCE_COLOR asks for them', async () => {
    const { stdout } = await runProcess(['ps', '--help'], { env: { FORCE_COLOR: '1' } })
    expect(stdout).toContain('\u001b[1mOptions:')
  })
})

it('every flag has an environment variable, which means one thing', () => {
  const all = commands.flatMap(one => ('commands' in one ? one.commands : [one]))
  const meanings = new Map<string, Set<string>>()
  for (const { flags } of all)
    for (const [name, flag] of Object.entries(flags)) {
      const variable = variableOf(name, flag)
      expect(variable).toMatch(/^PET_MOCK_[A-Z_]+$/)
      meanings.set(
        variable,
        (meanings.get(variable) ?? new Set()).add(`--${name} ${flag.value.split('|')[0]}`),
      )
    }
  const several = [...meanings].filter(([, flags]) => flags.size > 1).map(([variable]) => variable)
  expect(several).toEqual([])
  expect(meanings.has('PET_MOCK_ADD_KEY')).toBe(true)
})

it.each(['--version', '-v'])('%s prints the version of package.json', async flag => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(await runCommand([flag])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})
