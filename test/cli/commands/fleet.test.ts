import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'

const flags = ['--instances', '12', '--demand', '50/m', '--for', '3h']
const fleet = (args: readonly string[], files: Record<string, string> = {}) => {
  const cwd = directoryWith(files)
  return runCommand(['fleet', ...args], { cwd }).then(ended => ({ ...ended, cwd }))
}

describe('fleet', () => {
  it('prints a line for each policy, and what to do', async () => {
    const { code, stdout } = await fleet([...flags, '--policy', 'none,bucket-split'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nPolicy +Served +Age p50 .*\nnone .*\nbucket-split .* – /)
    expect(stdout).toMatch(
      /✓ a limiter in each: 5 calls a minute and 83 calls a day each: no ban, no call refused, /,
    )
    expect(stdout).toMatch(/✓ the smallest plan: Pro suffices with one limiter for all: /)
    expect(stdout).toMatch(/✕ none: no number of instances is safe for these jobs/)
  })

  it('prints the same line of JSON for the same fleet, with the documented fields', async () => {
    const args = [...flags, '--policy', 'pause', '--json']
    const [one, other] = await Promise.all([fleet(args), fleet(args)])
    expect(one.stdout).toBe(other.stdout)
    const result = JSON.parse(one.stdout)
    expect(Object.keys(result)).toEqual(['policies', 'advice', 'seed'])
    expect(result.policies).toEqual([
      expect.objectContaining({
        name: 'pause',
        served: expect.any(Number),
        refused: expect.any(Number),
        banned: { count: expect.any(Number), ms: expect.any(Number) },
        age: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
        herd: expect.any(Number),
        fairness: expect.any(Number),
        unused: expect.any(Number),
      }),
    ])
  })

  it('fails when a change makes it worse than the baseline, and when nothing can be compared', async () => {
    const { stdout: baseline } = await fleet([...flags, '--policy', 'bucket-split', '--json'])
    const worse = baseline.replace('"served":', '"served":1,"was":')
    const files = { 'same.json': baseline, 'better.json': worse }
    const compare = (file: string, policy: string) =>
      fleet([...flags, '--policy', policy, '--baseline', file], files)
    expect((await compare('same.json', 'bucket-split')).code).toBe(0)
    const fell = await compare('better.json', 'bucket-split')
    expect(fell.code).toBe(1)
    expect(fell.stdout).toMatch(/bucket-split +served [\d.]+ %, 100 % before/)
    const unknown = await compare('same.json', 'none')
    expect(unknown.code).toBe(1)
    expect(unknown.stdout).toContain('the baseline has no policy none')
  })

  it('takes the jobs from the calls of a recording', async () => {
    const entries = Array.from({ length: 90 }, (_, second) => ({
      startedDateTime: new Date(Date.UTC(2026, 2, 2, 9, 0, second)).toISOString(),
      request: { method: 'GET', url: 'https://api.example.com/v1/pets', headers: [] },
      response: { status: 200, headers: [], content: {} },
    }))
    const files = {
      'fleet.yaml': 'plan: free\nfor: 5m\ngroups: [{ instances: 3, recording: calls.har }]\n',
      'calls.har': JSON.stringify({ log: { version: '1.2', entries } }),
    }
    const { code, stdout } = await fleet(['fleet.yaml', '--policy', 'none', '--json'], files)
    expect(code).toBe(0)
    const [figures] = JSON.parse(stdout).policies
    expect(figures).toMatchObject({ wanted: 90, calls: 90, served: 1, herd: 1 })
    const missing = await fleet(['fleet.yaml'], { ...files, 'calls.har': '{}' })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('calls.har')
  })

  it('reads a file with groups, and writes a page with a picture for each policy', async () => {
    const file = `
plan: pro
for: 2h
policies: [pause, bucket-split]
groups:
  - { instances: 4, demand: 100/m, arrivals: poisson, byHour: [${Array(24).fill(1)}], deploys: [1h] }
  - { instances: 2, demand: 10/m each, start: 10m, restarts: 30m, latency: 200ms, key: demo-pro }`
    const { code, stdout, cwd } = await fleet(['fleet.yaml', '--report', 'fleet.html'], {
      'fleet.yaml': file,
    })
    expect(code).toBe(0)
    expect(stdout).toContain('6 in 2 groups')
    const page = readFileSync(join(cwd, 'fleet.html'), 'utf8')
    expect(page.match(/<figure/g)).toHaveLength(2)
    expect(page).toContain('What to do')
  })
})

test.each([
  [[], '--instances is missing'],
  [['--instances', '3'], '--demand is missing'],
  [['--instances', '0', '--demand', '1/m'], '--instances: expected a whole number from 1 to 10,000'],
  [['--instances', '3', '--demand', '0/m'], '--demand: expected a rate above 0'],
  [[...flags, '--policy', 'paus'], 'there is no policy "paus"; did you mean pause?'],
  [[...flags, '--plan', 'gold'], 'there is no plan "gold"'],
  [[...flags, '--scenario', 'nope'], 'nope'],
  [['fleet.yaml', '--instances', '2'], '--instances: the groups of fleet.yaml say that'],
  [['none.yaml'], 'none.yaml cannot be read'],
  [['fleet.yaml'], 'fleet.yaml:3:5: groups[1]: expected either demand or recording'],
  [['bad.yaml'], 'bad.yaml:1:24: groups[0].instances'],
  [[...flags, '--baseline', 'bad.yaml'], 'expected the output of pet-mock fleet --json'],
])('wrong usage: %j', async (args, message) => {
  const files = {
    'fleet.yaml': 'groups:\n  - { instances: 1, demand: 1/m }\n  - { instances: 2 }\n',
    'bad.yaml': 'groups: [ { instances: 1.5, demand: 1/m } ]\n',
  }
  const { code, stderr } = await fleet(args, files)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})
