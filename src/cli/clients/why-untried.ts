import type { RunFacts } from '../../judges/rehearsal/run-log.ts'

const hint = 'It finds the service in PET_MOCK_URL and PET_MOCK_KEY; --env gives them other names.'

/** Why the calm run of a command tries nothing, as the end of a sentence about the command. */
export function whyUntried({ calls, succeeded }: RunFacts): string | undefined {
  if (calls === 0) return `makes no calls. ${hint}`
  return succeeded === 0 ? `makes no call that succeeds without any disturbance. ${hint}` : undefined
}
