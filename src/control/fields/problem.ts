import type { Path } from '../files/show.ts'

/** Something wrong with a value, at a path of it. */
export interface Problem {
  readonly path: Path
  readonly message: string
  /** Whether the message is about the path's value (the default) or its name. */
  readonly part?: 'key' | 'value'
}

export type Problems = readonly Problem[]

export function problemIf(isWrong: boolean, path: Path, message: string): Problems {
  return isWrong ? [{ path, message }] : []
}
