/** The ids of the findings about conduct, the errors first. `judges/conduct/checks.json` describes each. */
export const findingIds = [
  'early-retry',
  'call-during-ban',
  'banned',
  'removed-operation',
  'no-backoff',
  'called-while-limited',
  'deprecated-operation',
  'invalid-request-repeated',
  'duplicate-create',
  'unknown-parameter',
  'missing-key',
  'key-in-query',
  'polling-too-fast',
  'page-asked-again',
  'unknown-field',
  'quota-peak',
] as const

export type FindingId = (typeof findingIds)[number]
