import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'
import { commandWords, serveJson } from '../support/run-command.ts'

needPosix('shell')

const pet = commandWords.map(word => `'${word}'`).join(' ')
const page = readFileSync('docs/admin.md', 'utf8')
const commands = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map(text => {
    const [command = '', ...shown] = text.trim().split('\n')
    return { command, shown: shown.join('\n') }
  })

function withoutInstants(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'INSTANT')
}

test('every line of the page does what it says, one after the other', { timeout: 180_000 }, async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  expect(commands.length).toBeGreaterThan(20)
  const cwd = directoryWith({})
  const env = { ...process.env, TMPDIR: cwd }
  const { ready } = await serveJson(['--clock', 'frozen'], { env: { TMPDIR: cwd } })
  for (const { command, shown } of commands) {
    const here = command
      .replace('http://127.0.0.1:7387/__admin', ready.admin)
      .replace('http://127.0.0.1:7387/v1', ready.url)
      .replace(/^curl/, 'curl -sSf')
      .replace(/(?<=^|\| )(?:npx )?pet-mock/, pet)
    const { stdout, status } = spawnSync('sh', ['-c', here], { encoding: 'utf8', cwd, env })
    expect([command, status, stdout]).toEqual([command, 0, expect.any(String)])
    if (shown !== '')
      expect([command, withoutInstants(stdout.trimEnd())]).toEqual([command, withoutInstants(shown)])
  }
})
