import { formatInstant } from '../../base/time/instant.ts'
import type { Fact } from './report.ts'

/** Where reports come from. A file may be read long after it was written. */
export interface ReportHead {
  /** Milliseconds since the epoch. */
  readonly writtenAt: number
  /** Of pet-mock. */
  readonly version: string
  /** With secrets masked. */
  readonly command: string
  /** The scenario that ran, if the command knows it. */
  readonly scenario?: string | undefined
}

export function headFacts({ writtenAt, version, command, scenario }: ReportHead): readonly Fact[] {
  return [
    { name: 'Date', value: `${formatInstant(writtenAt).slice(0, 19).replace('T', ' ')} UTC` },
    { name: 'pet-mock', value: version },
    ...(scenario === undefined ? [] : [{ name: 'Scenario', value: scenario }]),
    { name: 'Command', value: command },
  ]
}
