import type { Answer } from '../call/answer.ts'

const mostKept = 100
/** In characters. The ids of pets are shorter. */
const longestKept = 32

/** Answers about single pets, kept until a pet changes: clients repeat their calls. */
export class KeptAnswers {
  readonly #answers = new Map<string, Answer>()
  #revision = 0
  #base = ''

  /** The kept answer about a pet, or a new one. `revision`: that of the store; `base`: the URL of the API in links. */
  get(petId: string, revision: number, base: string, make: () => Answer): Answer {
    if (this.#revision !== revision || this.#base !== base) {
      this.#answers.clear()
      this.#revision = revision
      this.#base = base
    }
    const kept = this.#answers.get(petId)
    if (kept !== undefined) return kept
    const answer = make()
    if (petId.length > longestKept) return answer
    if (this.#answers.size >= mostKept) this.#answers.clear()
    this.#answers.set(petId, answer)
    return answer
  }
}
