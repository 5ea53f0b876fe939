import { describe, expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'
import { runInside } from '../../support/run-inside.ts'

async function words(...line: readonly string[]) {
  const { code, stdout } = await runInside(['completion', 'suggest', '--', ...line])
  expect(code).toBe(0)
  return stdout
    .split('\n')
    .slice(0, -1)
    .map(shown => shown.split('\t')[0])
}

describe('suggest', () => {
  it.each([
    [
      ['pets', ''],
      ['list', 'add', 'change', 'delete'],
    ],
    [
      ['pets', 'change', '5', '--status', ''],
      ['available', 'pending', 'sold', 'none'],
    ],
    [['--log-format', '=', 'p'], ['pretty']],
    [['--log-format='], ['--log-format=pretty', '--log-format=json', '--log-format=silent']],
    [
      ['ps', ''],
      ['--json', '--help'],
    ],
    [['--port', '1', 'stop', '--a'], ['--all']],
    [['exec', '--', 'npm', ''], [':files']],
    [['snapshot', 'save', ''], [':files']],
    [['init', ''], [':directories']],
    [
      ['nonsense', '-x', ''],
      ['--scenario', '--clock'],
    ],
    [['conduct', '--fail-on', 'e'], ['error']],
    [['rehearse', '--fail-on', 'u'], ['unjudged']],
    [['exec', '--env', ''], []],
  ])('%j', async (line, expected) => {
    expect((await words(...line)).slice(0, Math.max(1, expected.length))).toEqual(expected)
  })

  it('leaves out files whose names a terminal or a shell would misread', async () => {
    const directory = directoryWith({
      'pet-mock/a\x1b]0;x.yaml': '',
      'pet-mock/b\nc.yaml': '',
      'pet-mock/d.yaml': '',
    })
    const { stdout } = await runCommand(['completion', 'suggest', '--', 'scenarios', 'use', 'pet-mock/'], {
      cwd: directory,
    })
    expect(stdout).toBe('pet-mock/d.yaml\tyour own scenario\n:files\n')
  })
})
