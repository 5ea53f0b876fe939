import type { Path } from '../../files/show.ts'

/** Something wrong with a merged scenario, at a path of it. */
export interface Objection {
  readonly path: Path
  readonly message: string
}
