import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import type { ConductReport } from '../../../src/judges/conduct/conduct-report.ts'
import { fly, type Pilot } from '../../support/flights.ts'

type Call = (instance: number, line?: string) => void

const noCallLeft = { keys: { 'demo-free': { used: { minute: 60 } } } }
const withoutBans = { ...noCallLeft, bans: 'off' } as const

/** A flight of instances, each on its own connection: the number of calls of each finding, with its instances. */
function findingsOf(scenario: ScenarioFile, flight: (call: Call, pilot: Pilot) => void): readonly string[] {
  const { findings } = fly(scenario, pilot =>
    flight((instance, line) => pilot.call(line, { connection: instance, instance }), pilot),
  )
  const shown = findings.filter(({ severity }) => severity !== 'info')
  return shown.map(({ id, severity, count, instances = [] }) => `${severity} ${id} ×${count} by ${instances}`)
}

test.each<[what: string, flight: (call: Call, pilot: Pilot) => void, findings: readonly string[]]>([
  [
    'half a second after the refusal of another one',
    (call, { wait }) => {
      call(1)
      wait(500)
      call(2)
    },
    ['warning called-while-limited ×1 by 2'],
  ],
  [
    'sooner than it can know of that',
    (call, { wait }) => {
      call(1)
      wait(499)
      call(2)
    },
    [],
  ],
  [
    'after a wait that is shared',
    (call, { wait }) => {
      call(1)
      wait(60_000)
      call(2)
    },
    [],
  ],
  [
    'after its own refusal',
    (call, { wait }) => {
      call(1)
      call(2)
      wait(1_000)
      call(2)
    },
    ['error early-retry ×1 by 2'],
  ],
  [
    'on another connection after its own refusal, with no doubt about who called',
    (call, { wait, close }) => {
      call(1)
      close(1)
      wait(1_000)
      call(1)
    },
    ['error early-retry ×1 by 1'],
  ],
  [
    'an unknown path that others called, too',
    call => {
      for (let instance = 1; instance <= 12; instance += 1) call(instance, 'GET /v1/pet')
    },
    [],
  ],
])('an instance calls %s', (_, flight, findings) => {
  expect(findingsOf(withoutBans, flight)).toEqual(findings)
})

test('ten refusals of as many instances are one ban, of the key', () => {
  const findings = findingsOf(noCallLeft, call => {
    for (let instance = 1; instance <= 12; instance += 1) call(instance)
  })
  expect(findings).toEqual(['error banned ×1 by '])
})

test('the finding names who was refused before', () => {
  const { findings } = fly(withoutBans, ({ call, wait }) => {
    call('GET /v1/pets', { connection: 3, instance: 3 })
    wait(2_000)
    call('GET /v1/pets', { connection: 7, instance: 7 })
  })
  expect(findings.find(({ id }) => id === 'called-while-limited')?.evidence).toMatchObject([
    { instance: 7, detail: expect.stringContaining('; instance 3 was refused before, and this one was not') },
  ])
})

test('a call to the address of another instance is not judged', () => {
  const flight = ({ call }: Pilot) => {
    call('GET /v1/pets', { connection: 1, instance: 1 })
    call('GET /v1/pets', { connection: 2, instance: 1, stranger: 2 })
  }
  const { findings, unjudged }: ConductReport = fly(withoutBans, flight)
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
  expect(unjudged).toMatchObject([
    {
      count: 1,
      reason: 'instance 2 made it at the address of another instance',
      evidence: [{ instance: 1 }],
    },
  ])
})
