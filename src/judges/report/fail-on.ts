import type { Finding } from './finding.ts'

export const failLevels = ['error', 'warning', 'never'] as const
export type FailLevel = (typeof failLevels)[number]

/** Decides which findings make a command fail. */
export interface FailOn {
  /** This severity and worse. */
  readonly level: FailLevel
  /** Overrides the level for single findings. */
  readonly ids: ReadonlyMap<string, boolean>
}

export const defaultFailOn: FailOn = { level: 'error', ids: new Map() }

type Judged = Pick<Finding, 'id' | 'severity' | 'expected'>

/** An expected finding never fails. */
export function failsOn({ level, ids }: FailOn): (finding: Judged) => boolean {
  return ({ id, severity, expected }) => {
    if (expected) return false
    const own = ids.get(id)
    if (own !== undefined) return own
    return level !== 'never' && (severity === 'error' || (severity === 'warning' && level === 'warning'))
  }
}
