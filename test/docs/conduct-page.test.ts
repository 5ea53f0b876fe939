import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDuration } from '../../src/base/time/duration.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import { conductChecks, conductIds } from '../../src/judges/conduct/checks.ts'
import { fly, type Pilot } from '../support/flights.ts'

const page = readFileSync('docs/conduct.md', 'utf8')
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map(text => [text.slice(0, text.indexOf('\n')), text] as const),
)

test('the page has every finding, with its severity', () => {
  expect([...sections.keys()]).toEqual(conductIds)
  const rows = [...page.matchAll(/^\| \[`([a-z-]+)`\]\(#[a-z-]+\) +\| (\w+) +\|$/gm)].map(([, ...row]) => row)
  expect(rows).toEqual(conductIds.map(id => [id, conductChecks[id].severity]))
})

const line =
  /^(?<call>\S+ \S+)(?: (?<body>\{.*\}))?(?: ×(?<times>\d+))?(?:, (?<apart>\d+ s) apart)?(?<bare> without a key)? → (?<statuses>[\d ]+)$/

/** Does what a line says, and compares what was answered. */
function act({ call, wait, repeat }: Pilot, text: string): void {
  const [, pause] = /^(\d+ s) later$/.exec(text) ?? []
  if (pause !== undefined) {
    wait(lengthOf(pause))
    return
  }
  const groups = line.exec(text)?.groups
  if (groups === undefined) throw new Error(`Not a line of a flight: ${text}`)
  const { call: what = '', body, times = '1', apart = '0 s', bare, statuses = '' } = groups
  const answered: number[] = []
  const headers = body === undefined ? [] : ['Content-Type', 'application/json']
  const made = () => answered.push(call(what, { headers, ...(body && { body }), ...(bare && { key: null }) }))
  repeat(Number(times), made, lengthOf(apart) || 1)
  expect(answered.join(' ')).toBe(statuses)
}

function lengthOf(text: string): number {
  return parseDuration(text.replace(' ', '')) ?? Number.NaN
}

test.each(conductIds)('the flight of %s shows it', id => {
  const [, scenario = '', lines = ''] =
    /^```text\npet-mock -s (\S+)\n([\s\S]*?)\n```$/m.exec(sections.get(id) ?? '') ?? []
  const { findings } = fly(shippedScenarios.get(scenario) ?? {}, pilot => {
    for (const text of lines.split('\n')) act(pilot, text)
  })
  expect(shippedScenarios.has(scenario)).toBe(true)
  expect(findings.map(({ id }) => id)).toContain(id)
  expect(findings.find(finding => finding.id === id)?.severity).toBe(conductChecks[id].severity)
})
