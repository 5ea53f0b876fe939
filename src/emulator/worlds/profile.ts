/** What was learned about one setting of a service. */
export interface Line {
  /** As a scenario writes it. Of an error: `code` and `message`; of a latency: `median` and `p99`. */
  readonly value?: unknown
  readonly atLeast?: unknown
  readonly atMost?: unknown
  readonly state: 'observed' | 'inferred' | 'bounded' | 'contradicted'
  /** How many calls, windows or bans showed it. */
  readonly seen: number
  /** A day in UTC: `2026-11-22`. */
  readonly last: string
  /** The number of different minutes in which it was seen. Files have it within `values` only. */
  readonly windows?: number
  /** Both observations of a contradicted line, the older one first. */
  readonly values?: readonly Sighting[]
}

export interface Sighting {
  readonly value: unknown
  readonly seen: number
  readonly last: string
  readonly windows: number
}

/** What was learned about a service, by the path of each setting in a scenario: `limits.window`. */
export interface Profile {
  readonly profile: 1
  readonly service: string
  readonly learned: Readonly<Record<string, Line>>
  /** The assumed settings that nothing has shown yet. */
  readonly unknown: readonly string[]
}
