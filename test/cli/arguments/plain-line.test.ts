import { array, assert, constantFrom, oneof, property } from 'fast-check'
import { expect, it } from 'vitest'
import { isGroup } from '../../../src/cli/arguments/command.ts'
import { readCommandLine, readPlainLine } from '../../../src/cli/arguments/command-line.ts'
import { serve } from '../../../src/cli/commands/serve.ts'
import { commands } from '../../../src/cli/commands.ts'

const all = commands.flatMap(command => (isGroup(command) ? command.commands : [command]))
const words = [...commands, ...all].map(({ name }) => name)
const values = [
  '',
  '-',
  '--',
  '-1h',
  '80',
  'a=b',
  'true',
  'false',
  'ban',
  '-port',
  '--=',
  '--no-watch',
  '\u0000',
]

/** The ways to write a flag and its value. */
function written(command: (typeof all)[number]): readonly string[] {
  return Object.entries(command.flags).flatMap(([name, { alias }]) => [
    `--${name}`,
    `--${name}=7`,
    `--${name}=`,
    `-${name}`,
    ...(alias === undefined ? [] : [`-${alias}`, `-${alias}7`, `-${alias}=7`, `-${alias}v`]),
  ])
}

const usual = oneof(
  { weight: 4, arbitrary: constantFrom(...written(serve)) },
  { weight: 3, arbitrary: constantFrom(...values) },
  { weight: 1, arbitrary: constantFrom('serve') },
)
const any = constantFrom(
  ...all.flatMap(written),
  ...words,
  '-h',
  '--help',
  '--help=no',
  '-v',
  '--version',
  '-hv',
  '--x.y=1',
  '--__proto__=1',
  '--constructor',
)

it('a line that is read without the other commands means the same with them', () => {
  let plain = 0
  assert(
    property(
      array(oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: any }), { maxLength: 6 }),
      args => {
        const reading = readPlainLine(args, serve)
        if (reading === undefined) return
        plain += 1
        const whole = readCommandLine(args, commands)
        // In the list of all commands, it also has the title above it.
        const { name } = serve
        expect({ ...whole, command: { name } }).toEqual({ ...reading, command: { name } })
        expect(whole.kind === 'run' && whole.command.name).toBe(name)
      },
    ),
    { numRuns: 5_000, seed: 7 },
  )
  expect(plain).toBeGreaterThan(500)
})

it.for([
  '',
  '--port 80',
  'serve -s ban',
  '-p 0 --watch --add-key a=pro --add-key b=free',
  '--clock -1h',
  '--pets=10',
])('reads "%s" without the other commands', line => {
  const args = line.split(' ').filter(word => word !== '')
  expect(readPlainLine(args, serve)).toMatchObject({ kind: 'run', command: serve })
})

it.for([
  'ps',
  '--help',
  'serve -h',
  '--version',
  '--prot 80',
  'serve ban',
  '-- serve',
  'serve -- ban',
  '--url x',
])('leaves "%s" to the reading that knows all commands', line => {
  expect(readPlainLine(line.split(' '), serve)).toBe(undefined)
})
