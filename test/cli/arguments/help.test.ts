import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src/cli/arguments/command-line.ts'
import { serveFlags } from '../../../src/cli/arguments/serve-flags.ts'
import { commands } from '../../../src/cli/commands.ts'
import { version } from '../../../src/doors/server/version.ts'
import { runCommand } from '../../support/run-command.ts'

function tell(args: readonly string[], columns: number): string {
  const line = readCommandLine(args, commands, { version, columns })
  if (line.kind !== 'tell') throw new Error('Nothing was told')
  return line.text
}

describe('--help', () => {
  it.each(Object.entries(serveFlags))('tells of --%s', (name, { about, value }) => {
    const help = tell(['--help'], 200)
    expect(help).toContain(`--${name} `)
    expect(help).toContain(` ${value} `)
    expect(help.replace(/\s+/g, ' ')).toContain(about)
  })

  it('tells where the flags of exec end and its command begins', () => {
    const help = tell(['exec', '--help'], 110)
    expect(help).toMatch(/^pet-mock exec \[flags\] -- COMMAND…\n/)
    expect(help).toMatch(/--env +NAME=url\|key\|admin /)
    expect(help).toContain('any free port [0]')
  })

  it.each([40, 60, 80, 110, 300])('fits into %d columns', columns => {
    const widest = Math.max(
      ...tell(['--help'], columns)
        .split('\n')
        .map(line => line.length),
    )
    expect(widest).toBeLessThanOrEqual(Math.min(columns, 110))
  })

  it.each(['-h', 'serve --help', '--port x --help', '--prot --help', 'srve --help'])(
    'is told by pet-mock %s',
    line => {
      // The commands beside serve are told where none is named.
      const ofServe = (text: string) => text.replace(/^.*\n/, '').replace(/Commands:\n(?: .*\n)*\n/, '')
      expect(ofServe(tell(line.split(' '), 80))).toBe(ofServe(tell(['--help'], 80)))
    },
  )

  it('goes to stdout, plain, with exit code 0', async () => {
    const { code, stdout, stderr } = await runCommand(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${tell(['--help'], 80)}\n`)
  })
})

it.each(['--version', '-v'])('%s tells the version of package.json', async flag => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(await runCommand([flag])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})
