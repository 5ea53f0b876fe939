import * as constraint from '../../base/text/constraint.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { checkDocument } from '../../control/fields/check-document.ts'
import { list, record } from '../../control/fields/field.ts'
import { complain, type Reading } from '../../control/files/complaint.ts'
import { readDocument } from '../../control/files/document.ts'
import { type Demand, type Group, parseRate } from './fleet.ts'

/** A file of a fleet, in the words of docs/fleet.md. */
export interface FleetFile {
  readonly scenario?: string
  readonly plan?: string
  readonly for?: string
  readonly at?: string
  readonly seed?: number
  readonly policies?: readonly string[]
  readonly groups: readonly GroupFile[]
}

interface GroupFile {
  readonly name?: string
  readonly instances: number
  readonly demand?: string
  readonly arrivals?: 'even' | 'poisson'
  readonly byHour?: readonly number[]
  readonly recording?: string
  readonly start?: string
  readonly restarts?: string
  readonly deploys?: readonly string[]
  readonly latency?: string
  readonly key?: string
  readonly call?: string
}

export const instanceCounts = constraint.wholeNumbers('a whole number from 1 to 10,000', 1, 10_000)
export const rates = constraint.texts(
  'a rate above 0, such as 70/m, or 3.5/m each',
  /^(?=[\d.]*[1-9])\d+(?:\.\d+)?\/[smhd](?: each)?$/,
)
export const seeds = constraint.wholeNumbers('a whole number (0 or more)', 0)

const shape = record(
  {
    groups: list(
      record(
        { instances: instanceCounts },
        {
          name: constraint.anyText,
          demand: rates,
          arrivals: constraint.choices('even', 'poisson'),
          byHour: list(constraint.numbers('a number (0 or more)', 0)),
          recording: constraint.anyText,
          start: constraint.anyDuration,
          restarts: constraint.anyDuration,
          deploys: list(constraint.anyDuration),
          latency: constraint.anyDuration,
          key: constraint.anyText,
          call: constraint.texts('a method and a path under /v1, such as GET /v1/pets', /^[A-Z]+ \/v1\S*$/),
        },
      ),
      'expected at least one group',
    ),
  },
  {
    scenario: constraint.anyText,
    plan: constraint.anyText,
    for: constraint.anyDuration,
    at: constraint.anyInstant,
    seed: seeds,
    policies: list(constraint.anyText),
  },
)

export async function readFleetFile(file: string, text: string): Promise<Reading<FleetFile>> {
  const reading = await readDocument(file, text)
  if (!reading.ok) return reading
  const checked = checkDocument<FleetFile>(shape, reading.value)
  if (!checked.ok) return checked
  const complaints = checked.value.groups.flatMap((group, place) => {
    const wrong = wrongIn(group)
    return wrong === undefined
      ? []
      : [complain(reading.value, ['groups', place], 'value', `groups[${place}]: ${wrong}`)]
  })
  return complaints.length > 0 ? { ok: false, complaints } : checked
}

function wrongIn({ demand, recording, byHour, instances }: GroupFile): string | undefined {
  if ((demand === undefined) === (recording === undefined)) return 'expected either demand or recording'
  if (demand !== undefined && parseRate(demand, instances) === undefined)
    return 'demand: expected more than none'
  if (byHour === undefined) return undefined
  if (byHour.length !== 24)
    return `byHour: expected 24 numbers, one for each hour of the day, found ${byHour.length}`
  return byHour.some(weight => weight > 0) ? undefined : 'byHour: expected a number above 0'
}

/** `key`: that of groups without one. `recorded`: the instants of a recording's calls, in order. */
export function groupOf(
  file: GroupFile,
  place: number,
  key: string,
  recorded: (path: string) => readonly number[],
): Group {
  const { name = `group ${place + 1}`, instances, demand, recording, arrivals = 'even', byHour } = file
  const [method = 'GET', target = '/v1/pets'] = file.call?.split(' ') ?? []
  const ms = (text: string | undefined, fallback: number) =>
    text === undefined ? fallback : (parseDuration(text) ?? fallback)
  const instants = recording === undefined ? [] : recorded(recording)
  const wanted: Demand =
    demand === undefined
      ? { instants: instants.map(at => at - (instants[0] ?? 0)) }
      : { perMs: parseRate(demand, instances) ?? 0, arrivals, byHour }
  return {
    name,
    instances,
    key: file.key ?? key,
    call: { method, target },
    demand: wanted,
    latency: ms(file.latency, 50),
    start: ms(file.start, 0),
    restarts: file.restarts === undefined ? undefined : Math.max(1_000, ms(file.restarts, 1_000)),
    deploys: file.deploys?.map(text => ms(text, 0)) ?? [],
  }
}
