import { movedBack } from '../../base/time/clock.ts'
import type { ScenarioEvent } from './scenario.ts'

export interface EventState {
  /** Start of its time: milliseconds since the epoch, in the emulator's time. */
  readonly since: number
  /** The calls that counted so far. */
  readonly calls: number
  readonly happened: boolean
}

interface Entry {
  readonly event: ScenarioEvent
  since: number
  calls: number
  happened: boolean
}

/** The events of one world, with their counts. Nothing is scheduled: each arriving call looks at them. */
export class EventBook {
  #entries: readonly Entry[]
  #waiting: readonly Entry[]

  /** `since`: start of the events' time, in the emulator's time. */
  constructor(events: readonly ScenarioEvent[], since: number) {
    this.#entries = events.map(event => ({ event, since, calls: 0, happened: false }))
    this.#waiting = this.#entries
  }

  static restore(events: readonly ScenarioEvent[], states: readonly EventState[], since: number): EventBook {
    const book = new EventBook(events, since)
    book.#use(book.#entries.map((entry, index) => ({ ...entry, ...states[index] })))
    return book
  }

  get size(): number {
    return this.#entries.length
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** The events that happen before this call, in their order. Then the call counts. */
  take(key: string | undefined, at: number): readonly ScenarioEvent[] {
    const due = this.#waiting.filter(({ event: { after }, calls, since }) =>
      'calls' in after ? calls >= after.calls : at - since >= after.ms,
    )
    for (const entry of due) entry.happened = true
    if (due.length > 0) this.#use(this.#entries)
    for (const entry of this.#waiting) {
      if (entry.event.key === undefined || entry.event.key === key) entry.calls += 1
    }
    return due.map(({ event }) => event)
  }

  /** Replaces the events. One that is equal to an earlier one keeps its count and its time; a new one's time starts at `at`. */
  replace(events: readonly ScenarioEvent[], at: number): void {
    const before = [...this.#entries]
    const renewed = events.map(event => {
      const place = before.findIndex(entry => textOf(entry.event) === textOf(event))
      const [known] = place === -1 ? [] : before.splice(place, 1)
      return { since: at, calls: 0, happened: false, ...known, event }
    })
    this.#use(renewed)
  }

  /** Moves the time of the events that came after the start along with a clock that is set back to `to`. `by`: milliseconds. */
  moveBack(by: number, to: number): void {
    for (const entry of this.#entries) if (entry.since > to) entry.since = movedBack(entry.since, by)
  }

  /** In the order of the scenario's events. */
  save(): readonly EventState[] {
    return this.#entries.map(({ since, calls, happened }) => ({ since, calls, happened }))
  }

  #use(entries: readonly Entry[]): void {
    this.#entries = entries
    this.#waiting = entries.filter(({ happened }) => !happened)
  }
}

function textOf(event: ScenarioEvent): string {
  return JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
}
