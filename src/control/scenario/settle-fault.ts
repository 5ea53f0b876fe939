import { formatDuration, parseDuration } from '../../base/time/duration.ts'
import type { ThenFields } from '../../generated/scenario-fields.ts'
import { type Fault, faultName } from '../../service/call/fault.ts'
import { timesOf } from './settings/faults.ts'

type FaultFields = NonNullable<ThenFields['fault']>

/** Settles a fault that its declaration accepted: times become milliseconds. */
export function settleFault(fault: FaultFields | undefined): Fault | undefined {
  if (fault === undefined || typeof fault === 'string') return fault
  return mapAmount(fault, part => (typeof part === 'string' ? parseDuration(part) : part)) as Fault
}

/** A fault as a scenario writes it. */
export function formatFault(fault: Fault): FaultFields {
  if (typeof fault === 'string') return fault
  const times = timesOf(faultName(fault))
  const write = (part: unknown, name: string) =>
    typeof part === 'number' && times.has(name) ? formatDuration(part) : part
  return mapAmount(fault, write) as FaultFields
}

/** Maps the parts of each amount. An amount without parts has the name `''`. */
function mapAmount(fault: object, map: (part: unknown, name: string) => unknown): unknown {
  const mapParts = (amount: unknown) => {
    if (typeof amount !== 'object' || amount === null) return map(amount, '')
    return Object.fromEntries(Object.entries(amount).map(([name, part]) => [name, map(part, name)]))
  }
  const given = Object.entries(fault).filter(([, amount]) => amount !== undefined)
  return Object.fromEntries(given.map(([name, amount]) => [name, mapParts(amount)]))
}
