import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkWorkflow } from '../support/check-workflow.ts'
import { directoryWith } from '../support/directory.ts'
import { installExample } from '../support/example.ts'

const workflow = 'examples/github-actions/.github/workflows/test.yml'

/** A job of a workflow, as far as this test reads it. */
interface Job {
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}

test.each([workflow, '.github/workflows/ci.yml'])('%s is one that GitHub reads', async path => {
  expect(await checkWorkflow(path)).toEqual([])
})

test('what GitHub would not read is found', async () => {
  const folder = directoryWith({
    'test.yml': 'on: push\njobs: { test: { runs_on: ubuntu-latest, steps: [] } }\n',
  })
  expect((await checkWorkflow(join(folder, 'test.yml'))).join('\n')).toContain("Unexpected value 'runs_on'")
})

test('examples/github-actions: its commands do what the workflow wants of them', {
  timeout: 300_000,
}, async context => {
  const example = await installExample('github-actions', context)
  const jobs: Readonly<Record<string, Job>> = parse(
    readFileSync(join(example.path, '.github/workflows/test.yml'), 'utf8'),
  ).jobs
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  const printed: string[] = []
  for (const command of commands) {
    // As a runner's shell is called.
    const { code, output } = await example.run(
      'env',
      // As a runner names it.
      'GITHUB_STEP_SUMMARY=./step_summary_1',
      'bash',
      '--noprofile',
      '--norc',
      '-eo',
      'pipefail',
      '-c',
      command,
    )
    expect(code, `${command}\n${output}`).toBe(0)
    printed.push(...(output.match(/^(?:. pass \d+|✓ scenarios.*)$/gm) ?? []))
  }
  expect(printed).toEqual([
    '✓ scenarios/restart.yaml, walkthrough of 2 steps',
    '✓ scenarios/rush-hour.yaml, walkthrough of 4 steps',
    '✓ scenarios/short-outage.yaml, walkthrough of 2 steps',
    '✓ scenarios/restart.yaml (2 steps)',
    '✓ scenarios/rush-hour.yaml (4 steps)',
    '✓ scenarios/short-outage.yaml (2 steps)',
    expect.stringMatching(/^. pass 2$/),
  ])
  const read = (name: string) => readFileSync(join(example.path, name), 'utf8')
  expect(read('step_summary_1')).toMatch(/situations passed, 5 allowed to fail, 1 known to fail/)
  expect(read('rehearsal.html')).toMatch(/<!doctype html>/i)
  // The known failure is there, and fails nothing.
  expect(Object.keys(JSON.parse(read('rehearsal.json')).situations)).toEqual(['scenarios/restart.yaml'])
})
