import { suggest } from '../../../base/text/did-you-mean.ts'
import { type Path, showValue } from '../../files/show.ts'

/** Something wrong with a merged scenario, at a path of it. */
export interface Objection {
  readonly path: Path
  readonly message: string
}

export function unknownName(kind: string, name: string, known: readonly string[]): string {
  return `no ${kind} ${showValue(name)} is known${suggest(name, known) || `; known are ${known.join(', ')}`}`
}
