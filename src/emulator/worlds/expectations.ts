/** A finding that a test expects in the calls of a sandbox. It changes verdicts, not answers, so no snapshot has it. */
export interface Expectation {
  readonly sandbox: string
  readonly id: string
  /** The id of the first exchange that it covers. */
  readonly from: number
  /** The id of the first exchange after a restart of the sandbox, which ends it. */
  to: number
}

/** Ended ones serve reports at the end of a run. */
const mostEnded = 10_000

/** What tests expect, by sandbox. Its memory is bounded. */
export class Expectations {
  readonly #bySandbox = new Map<string, Expectation[]>()
  readonly #ended = new Set<Expectation>()
  /** How many ended ones are forgotten. */
  forgotten = 0

  /** Expects a finding from this exchange on. Returns the earlier expectation if there is one. */
  expect(sandbox: string, id: string, from: number): Expectation {
    const known = this.of(sandbox)
    const same = known.find(one => one.id === id && isOpen(one))
    const expectation = same ?? { sandbox, id, from, to: Number.POSITIVE_INFINITY }
    if (same === undefined) this.#bySandbox.set(sandbox, [...known, expectation])
    return expectation
  }

  /** The sandbox restarts, or is gone. `to`: the id of its next exchange. */
  end(sandbox: string, to: number): void {
    for (const expectation of this.of(sandbox).filter(isOpen)) {
      expectation.to = to
      this.#ended.add(expectation)
    }
    for (const oldest of this.#ended) {
      if (this.#ended.size <= mostEnded) return
      this.#forget(oldest)
    }
  }

  of(sandbox: string): readonly Expectation[] {
    return this.#bySandbox.get(sandbox) ?? []
  }

  all(): readonly Expectation[] {
    return [...this.#bySandbox.values()].flat()
  }

  /** The one that covers a finding in an exchange. */
  covering(sandbox: string, exchange: number, id: string): Expectation | undefined {
    return this.of(sandbox).find(one => one.id === id && one.from <= exchange && exchange < one.to)
  }

  #forget(oldest: Expectation): void {
    this.#ended.delete(oldest)
    this.forgotten += 1
    const rest = this.of(oldest.sandbox).filter(one => one !== oldest)
    if (rest.length === 0) this.#bySandbox.delete(oldest.sandbox)
    else this.#bySandbox.set(oldest.sandbox, rest)
  }
}

export function isOpen({ to }: Expectation): boolean {
  return to === Number.POSITIVE_INFINITY
}
