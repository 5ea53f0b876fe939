import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'
import { serveJson } from '../support/run-command.ts'

needPosix('shell')

const page = readFileSync('docs/open-areas.md', 'utf8')
const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''

test('the contract of the page does what the page says', async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  const cwd = directoryWith({ 'toys.yaml': blockOf('yaml') })
  const { ready, untilTold, stderr } = await serveJson(['--openapi', 'toys.yaml'], { cwd })
  await untilTold(/contradictions/)
  expect(stderr()).toBe(blockOf('text'))
  const lines = blockOf('console').split(/^\$ /m).slice(1)
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) {
    const [command = '', shown = ''] = line.split('\n')
    const here = command.replace('http://127.0.0.1:7387/v1', ready.url).replace(/^curl/, 'curl -sS')
    expect([command, spawnSync('sh', ['-c', here], { encoding: 'utf8' }).stdout]).toEqual([command, shown])
  }
})
