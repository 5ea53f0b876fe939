import type { Emulator } from '../../../emulator/emulator.ts'
import type { Family, Sample } from '../../../emulator/metrics/exposition.ts'
import type { Histogram } from '../../../emulator/metrics/metrics.ts'

export function metricFamilies({ metrics, sandboxes }: Emulator, version: string): readonly Family[] {
  const worlds = [...sandboxes]
  const pets = worlds.reduce((total, world) => total + world.pets.size, 0)
  const requests = worlds.reduce((total, world) => total + world.journal.size, 0)
  return [
    gauge('pet_mock_info', 'Always 1; the label has the version of pet-mock.', [
      { labels: { version }, value: 1 },
    ]),
    counter(
      'pet_mock_calls_total',
      "Calls to the API by operation, status and the key's plan.",
      Array.from(metrics.calls, ({ operation = 'none', status, plan = 'none', calls }) => ({
        labels: { operation, status: `${status}`, plan },
        value: calls,
      })),
    ),
    counter(
      'pet_mock_limit_refusals_total',
      'Calls over the limit, by exhausted window.',
      Object.entries(metrics.refusals).map(([window, value]) => ({ labels: { window }, value })),
    ),
    counter('pet_mock_bans_total', 'Bans for calls while rate limited.', metrics.bans),
    counter('pet_mock_banned_calls_total', 'Calls with banned keys.', metrics.refusedWhileBanned),
    counter(
      'pet_mock_rule_hits_total',
      'Calls that each rule acted on.',
      Array.from(metrics.ruleHits, ([rule, value]) => ({ labels: { rule }, value })),
    ),
    histogram(
      'pet_mock_call_duration_seconds',
      'Time from reading a call to handing its response to the system, injected delays included. Starts with the first call to the admin plane.',
      histogramSamples(metrics.latency),
    ),
    gauge('pet_mock_pets', 'Pets in all sandboxes.', pets),
    gauge('pet_mock_sandboxes', 'Sandboxes, including the default one.', worlds.length),
    gauge('pet_mock_journal_requests', 'Requests in the journals of all sandboxes.', requests),
    counter(
      'pet_mock_journal_evictions_total',
      'Requests that the journals dropped to make room.',
      sandboxes.journals.evictions,
    ),
  ]
}

function familyOf(type: Family['type']) {
  return (name: string, help: string, value: number | readonly Sample[]): Family => ({
    name,
    help,
    type,
    samples: typeof value === 'number' ? [{ value }] : value,
  })
}

const counter = familyOf('counter')
const gauge = familyOf('gauge')
const histogram = familyOf('histogram')

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
