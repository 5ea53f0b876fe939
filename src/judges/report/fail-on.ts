import type { Finding } from './finding.ts'

export const failLevels = ['error', 'warning', 'never'] as const
export type FailLevel = (typeof failLevels)[number]

/** Which findings make a command fail. */
export interface FailOn {
  /** Findings of this severity and worse. */
  readonly level: FailLevel
  /** Findings that do, whatever the level says, and those that do not. */
  readonly ids: ReadonlyMap<string, boolean>
}

export const defaultFailOn: FailOn = { level: 'error', ids: new Map() }

/** Whether a finding makes a command fail. */
export function failsOn({ level, ids }: FailOn): (finding: Pick<Finding, 'id' | 'severity'>) => boolean {
  return ({ id, severity }) => {
    const own = ids.get(id)
    if (own !== undefined) return own
    return level !== 'never' && (severity === 'error' || (severity === 'warning' && level === 'warning'))
  }
}
