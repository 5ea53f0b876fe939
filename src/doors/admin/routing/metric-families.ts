import type { Emulator } from '../../../emulator/emulator.ts'
import type { Family, Sample } from '../../../emulator/metrics/exposition.ts'
import type { Histogram } from '../../../emulator/metrics/histogram.ts'
import type { World } from '../../../emulator/worlds/world.ts'

/** Everything that is measured, with what it means. */
export function families({ metrics, sandboxes }: Emulator, version: string): readonly Family[] {
  const worlds = [...sandboxes]
  return [
    gauge('pet_mock_info', 'Always 1: the version of pet-mock that runs.', [
      { labels: { version }, value: 1 },
    ]),
    counter(
      'pet_mock_calls_total',
      'Calls of the API by the operation that they were for, the status of the answer and the plan of the key.',
      Array.from(metrics.calls, ({ operation = 'none', status, plan = 'none', calls }) => ({
        labels: { operation, status: `${status}`, plan },
        value: calls,
      })),
    ),
    counter(
      'pet_mock_limit_refusals_total',
      'Calls over the limit, by the window that was used up.',
      Object.entries(metrics.refusals).map(([window, value]) => ({ labels: { window }, value })),
    ),
    counter('pet_mock_bans_total', 'Bans of keys for calling on while rate limited.', one(metrics.bans)),
    counter('pet_mock_banned_calls_total', 'Calls of banned keys.', one(metrics.refusedWhileBanned)),
    counter(
      'pet_mock_rule_hits_total',
      'How often each rule acted.',
      Array.from(metrics.ruleHits, ([rule, value]) => ({ labels: { rule }, value })),
    ),
    {
      name: 'pet_mock_call_duration_seconds',
      help: 'From when a call was read until its answer was handed to the system, with the delay that was asked for; of calls since the admin plane was first asked.',
      type: 'histogram',
      samples: histogramSamples(metrics.latency),
    },
    gauge('pet_mock_pets', 'Pets in all sandboxes.', one(sum(worlds, ({ pets }) => pets.size))),
    gauge('pet_mock_sandboxes', 'Sandboxes, the default one included.', one(worlds.length)),
    gauge(
      'pet_mock_journal_requests',
      'Requests in the journals of all sandboxes.',
      one(sum(worlds, ({ journal }) => journal.size)),
    ),
    counter(
      'pet_mock_journal_evictions_total',
      'Requests that had to make room for newer ones.',
      one(metrics.journalEvictions),
    ),
  ]
}

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'counter', samples }
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'gauge', samples }
}

function one(value: number): readonly Sample[] {
  return [{ value }]
}

function sum(worlds: readonly World[], of: (world: World) => number): number {
  return worlds.reduce((total, world) => total + of(world), 0)
}

function histogramSamples(histogram: Histogram): readonly Sample[] {
  const below = histogram.cumulative()
  return [
    ...histogram.bounds.map((bound, index) => ({
      suffix: '_bucket',
      labels: { le: `${bound}` },
      value: below[index] ?? 0,
    })),
    { suffix: '_bucket', labels: { le: '+Inf' }, value: histogram.count },
    { suffix: '_sum', value: histogram.sum },
    { suffix: '_count', value: histogram.count },
  ]
}
