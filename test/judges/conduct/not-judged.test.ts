import { describe, expect, test } from 'vitest'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'

/** One strike from a ban. */
const ban = { keys: { 'demo-free': { plan: 'free', used: { minute: 60 }, strikes: 9 } } } as const

/** Calls in turn on two connections, as `fetch` of Node makes them one after the other, or a pool with a queue. */
const alternate = (count: number) => (pilot: Pilot) => {
  for (let made = 0; made < count; made += 1) {
    pilot.call('GET /v1/pets', { connection: (made % 2) + 1 })
    pilot.wait(3)
  }
}

function callsOfNotes(notes: readonly string[]): number {
  return notes.reduce((sum, note) => sum + Number(/^Not judged \((\d+) calls?\): /.exec(note)?.[1]), 0)
}

describe('early calls that may be of a pool', () => {
  test.each([2, 3, 15, 40, 100])('%d calls: each is noted as not judged, and none is a finding', count => {
    const report = fly(ban, alternate(count))
    expect(idsOf(report)).toEqual(['quota-peak'])
    expect(callsOfNotes(report.notes)).toBe(count - 1)
  })

  test('become findings when the burst has lasted for a second', () => {
    const report = fly(ban, alternate(400))
    expect(idsOf(report)).toEqual([expect.stringMatching(/^call-during-ban ×\d+$/), 'quota-peak'])
    const [{ count = 0 } = {}] = report.findings
    expect(callsOfNotes(report.notes) + count).toBe(399)
  })

  test('two workers with a connection each are never accused, and are noted', () => {
    const report = fly(ban, pilot => {
      pilot.call('GET /v1/pets', { connection: 1 })
      pilot.wait(5)
      pilot.call('GET /v1/pets?limit=1', { connection: 2 })
    })
    expect(idsOf(report)).toEqual(['quota-peak'])
    expect(callsOfNotes(report.notes)).toBe(1)
  })
})
