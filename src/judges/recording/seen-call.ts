/** A call and its answer as they were seen on the wire or in an archive, with all their secrets. */
export interface SeenCall {
  /** In milliseconds since the epoch. */
  readonly sentAt: number
  readonly answeredAt: number
  readonly method: string
  /** Path and query, with `/v1` instead of the service's own base path. */
  readonly target: string
  /** The API key. `null`: none was sent. `undefined`: unknown, because browsers leave it out of archives. */
  readonly key: string | null | undefined
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly answer: SeenAnswer
}

export interface SeenAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: there is none, or it was not kept. */
  readonly body: string | undefined
}

/** Calls of one recording. */
export const mostCalls = 2_000

/** What a recording does not hold: a reason, how often, and the first examples. */
export interface LeftOut {
  readonly reason: string
  readonly count: number
  readonly examples: readonly string[]
}

const mostReasons = 100
const mostExamples = 3

export interface LeftOutList {
  readonly add: (reason: string, example?: string, count?: number) => void
  readonly list: () => readonly LeftOut[]
  /** A list of its own with the same reasons. */
  readonly copy: () => LeftOutList
}

export function createLeftOut(before: readonly LeftOut[] = []): LeftOutList {
  const found = new Map(
    before.map(({ reason, count, examples }) => [reason, { count, examples: new Set(examples) }]),
  )
  const list = () =>
    Array.from(found, ([reason, { count, examples }]) => ({ reason, count, examples: [...examples] }))
  return {
    list,
    copy: () => createLeftOut(list()),
    add: (reason: string, example?: string, count = 1): void => {
      const name = found.has(reason) || found.size < mostReasons ? reason : 'other reasons'
      const entry = found.get(name) ?? { count: 0, examples: new Set<string>() }
      found.set(name, entry)
      entry.count += count
      if (example !== undefined && entry.examples.size < mostExamples) entry.examples.add(example)
    },
  }
}
