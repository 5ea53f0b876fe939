import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'
import { openTerminal } from '../../support/terminal.ts'

const command = resolve('dist/pet-mock.cjs')

/** A directory with a scenario folder, and an environment whose PATH has pet-mock. */
function place() {
  const directory = directoryWith({
    'bin/pet-mock': `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`,
    'pet-mock/mine.yaml': '',
    'pet-mock/fixtures/pets.yaml': '',
    'other.yaml': '',
  })
  chmodSync(`${directory}/bin/pet-mock`, 0o755)
  return { directory, env: { PATH: `${directory}/bin:${process.env.PATH}`, TMPDIR: directory } }
}

/** What is typed before Tab, and what the shell adds, without the space at the end. */
const typed: readonly (readonly [line: string, added: string])[] = [
  ['pet-mock cl', 'ock'],
  ['pet-mock clock adv', 'ance'],
  ['pet-mock --scen', 'ario'],
  ['pet-mock --scenario ban-', 'escalation'],
  ['pet-mock --scenario pet-mock/m', 'ine.yaml'],
  ['pet-mock scenarios use oth', 'er.yaml'],
  ['pet-mock --log-format=j', 'son'],
  ['pet-mock -s ban --fixtures pet-mock/f', 'ixtures/'],
  ['pet-mock keys add mine fr', 'ee'],
]

async function pressTab(context: TestContext, shell: readonly string[], setUp: string) {
  const { directory, env } = place()
  const { type, until } = await openTerminal(context, env, shell)
  type(`cd '${directory}'; ${setUp}; echo re''ady\r`)
  await until(/\nready[\s\S]*prompt> /)
  for (const [line, added] of typed) {
    type(`${line}\t`)
    const [shown] = await until(new RegExp(`${line}\x07?${added} ?`))
    expect(shown).toContain(added)
    // Ctrl+U empties the line.
    type('\x15')
  }
}

describe('Tab completes commands, flags, values and scenarios', () => {
  it('in bash', context =>
    pressTab(context, ['bash', '--norc', '--noprofile', '-i'], 'source <(pet-mock completion bash)'))

  it('in zsh', context =>
    pressTab(
      context,
      ['zsh', '-f', '-i'],
      'autoload -U compinit; compinit -D; source <(pet-mock completion zsh)',
    ))

  it('in fish', context => {
    const fish = requireOrSkip(context, 'fish', findProgram('fish'))
    const { directory, env } = place()
    for (const [line, added] of typed) {
      const script = `pet-mock completion fish | source; complete -C '${line}'`
      const options = {
        cwd: directory,
        env: { ...process.env, ...env, HOME: directory },
        encoding: 'utf8',
      } as const
      const words = execFileSync(fish, ['-c', script], options).split('\n')
      const word = `${line.split(' ').at(-1)}${added}`
      expect([line, words.map(shown => shown.split('\t')[0])]).toEqual([line, expect.arrayContaining([word])])
    }
  })
})

// By processor time: on a busy machine, the clock measures the others, too.
it('takes hardly longer than to say the version', () => {
  const note =
    "process.on('exit', () => process.stderr.write(JSON.stringify(Object.values(process.cpuUsage()))))"
  const noting = ['--require', resolve(directoryWith({ 'note.cjs': note }), 'note.cjs')]
  const spent = (args: readonly string[]) => {
    const { stderr } = spawnSync(process.execPath, [...noting, ...args], { encoding: 'utf8' })
    const [user, system]: number[] = JSON.parse(stderr)
    return (Number(user) + Number(system)) / 1000
  }
  const rounds = Array.from({ length: 7 }, () => [
    spent([command, '--version']),
    spent([command, 'completion', 'suggest', '--', '--scenario', '']),
  ])
  const [version = 0, own = Number.NaN] = [0, 1].map(which =>
    Math.min(...rounds.map(times => times[which] ?? 0)),
  )
  expect(own).toBeLessThan(1.5 * version)
})
