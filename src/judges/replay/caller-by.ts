export const callerWays = ['all', 'key', 'connection'] as const

/** What the calls of one caller have in common. Each caller has a quota of its own. */
export type CallerBy = (typeof callerWays)[number]
