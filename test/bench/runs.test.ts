import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, type TestContext } from 'vitest'
import { findProgram, requireOrSkip } from '../support/requirements.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'tools/bench/main.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
}

it('measures, prints a table with what it was measured on, and keeps every sample', () => {
  const { status, stdout, stderr } = bench('in-process', '--seconds', '0.02', '--rounds', '3')
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) })
  expect(stdout).toContain(`Node ${process.version} on `)
  expect(stdout).toMatch(/^\| create a pet +\| [\d,.]+ ns \(best [\d,.]+, worst [\d,.]+\) +\|$/m)
  const [file = ''] = /tools\/bench\/results\/\S+/.exec(stderr) ?? []
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

it('measures the library door by door', () => {
  const { stdout, stderr } = bench('doors', '--seconds', '0.02', '--rounds', '1')
  rmSync(`${root}${/tools\/bench\/results\/\S+/.exec(stderr)?.[0]}`)
  const figure = String.raw`[| ]+\| [\d,.]+ µs +\|`
  for (const door of [
    'a `Response` alone',
    '`handle`, in process',
    '`fetch`, in process',
    '`fetch`, through MSW',
    '`fetch`, over HTTP',
  ])
    expect(stdout).toMatch(new RegExp(`^\\| ${door} ${figure}`, 'm'))
  expect(stdout).toMatch(/^\| `createPetMock\(\)` +\| [\d.]+ ms +\| [\d.]+ × +\|/m)
})

it('measures what the proxy adds', () => {
  const { stdout, stderr } = bench('proxy', '--seconds', '0.05', '--rounds', '1')
  rmSync(`${root}${/tools\/bench\/results\/\S+/.exec(stderr)?.[0]}`)
  for (const who of ['direct', 'proxied', 'proxied, `--no-contract`'])
    expect(stdout).toMatch(new RegExp(`^\\| ${who} +\\| [\\d.]+ ms`, 'm'))
  expect(stdout).toMatch(/added to a call +\| -?[\d.]+ ms/)
})

it.each([
  [['nothing'], /there is no measurement nothing[\s\S]* in-process /],
  [['in-process', '--write'], /--write is for a run of everything/],
] as const)('refuses %j', (args, complaint) => {
  expect(bench(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(complaint) })
})

describe('under load', { timeout: 120_000 }, () => {
  /** One short run of a measurement that needs a generator of load. */
  const measure = (context: TestContext, name: string) => {
    requireOrSkip(context, 'wrk', findProgram('wrk'))
    const { stdout, stderr } = bench(name, '--seconds', '1', '--rounds', '1')
    rmSync(`${root}${/tools\/bench\/results\/\S+/.exec(stderr)?.[0]}`)
    return stdout
  }
  const [calls, ms, us, bytes] = ['calls/s', 'ms', 'µs', 'bytes'].map(
    unit => String.raw`[\d,.]+ ${unit} +\| `,
  )
  const ratios = String.raw`[\d.]+ × +\| [\d.]+ × +\|`

  it('measures refused calls, and fails their limit by their share of the bare server', context => {
    const report = measure(context, 'refused')
    expect(report).toMatch(new RegExp(`^\\| bare node:http +\\| ${calls}${ms}${us}${bytes}`, 'm'))
    expect(report).toMatch(new RegExp(`^\\| pet-mock +\\| ${calls}${ms}${us}${bytes}${ratios}`, 'm'))
    const [, share = '', verdict = ''] =
      /^\| refused calls a second, .+? \| ([\d.]+) × +\| +\| at least 0.85 × \| (.+?) +\|$/m.exec(report) ??
      []
    expect(verdict).toMatch(Number(share) < 0.85 ? /^goal missed by \d+ %$/ : /^goal met$/)
  })

  it('measures growth: a row for each number of rules, with heap', context => {
    const report = measure(context, 'growth-rules')
    for (const size of ['1 rule', '10 rules', '100 rules'])
      expect(report).toMatch(
        new RegExp(`^\\| ${size} +\\| ${calls}${ms}${us}${bytes}${ratios} [\\d.]+ MB +\\|$`, 'm'),
      )
  })
})
