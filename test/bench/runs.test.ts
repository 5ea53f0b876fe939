import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
}

it('measures, prints a table with what it was measured on, and keeps every sample', () => {
  const { status, stdout, stderr } = bench('in-process', '--seconds', '0.02', '--rounds', '3')
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) })
  expect(stdout).toContain(`Node ${process.version} on `)
  expect(stdout).toMatch(/^\| create a pet +\| [\d,.]+ ns \(best [\d,.]+, worst [\d,.]+\) +\|$/m)
  const [file = ''] = /bench\/results\/\S+/.exec(stderr) ?? []
  const run = JSON.parse(readFileSync(`${root}${file}`, 'utf8'))
  rmSync(`${root}${file}`)
  const sample = expect.any(Number)
  expect(run.outcomes[0].series).toContainEqual({
    who: 'create a pet',
    what: 'a call',
    unit: 'ns',
    samples: [sample, sample, sample],
  })
})

it('measures the library door by door', { timeout: 60_000 }, () => {
  const { stdout, stderr } = bench('doors', '--seconds', '0.02', '--rounds', '1')
  rmSync(`${root}${/bench\/results\/\S+/.exec(stderr)?.[0]}`)
  const figure = String.raw`\| [\d,.]+ µs +\|`
  for (const door of [
    '`handle`, in process',
    '`fetch`, in process',
    '`fetch`, through MSW',
    '`fetch`, over HTTP',
  ])
    expect(stdout).toMatch(new RegExp(`^\\| ${door} +\\| +${figure}`, 'm'))
  expect(stdout).toMatch(/^\| the library +\| [\d.]+ ms +\|/m)
})

it('measures what the proxy adds', { timeout: 60_000 }, () => {
  const { stdout, stderr } = bench('proxy', '--seconds', '0.05', '--rounds', '1')
  rmSync(`${root}${/bench\/results\/\S+/.exec(stderr)?.[0]}`)
  for (const who of ['direct', 'proxied', 'proxied, `--contract off`'])
    expect(stdout).toMatch(new RegExp(`^\\| ${who} +\\| [\\d.]+ ms`, 'm'))
  expect(stdout).toMatch(/added to a call +\| -?[\d.]+ ms/)
})

it.each([
  [['nothing'], /there is no measurement nothing[\s\S]* in-process /],
  [['--rounds', '0'], /--rounds takes a whole number from 1/],
  [['--seconds', 'x'], /--seconds takes a number above 0/],
  [['in-process', '--write'], /--write is for a run of everything/],
  [['--faster'], /--faster/],
] as const)('refuses %j', (args, complaint) => {
  expect(bench(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(complaint) })
})
