import type { TestContext } from 'vitest'
import { diskFailures } from './disk-failures.ts'
import { loadFailures } from './load-failures.ts'
import { processFailures } from './process-failures.ts'

/** Causes a failure, and checks what docs/stability.md says of it. */
export type Failure = (context: TestContext) => Promise<void>

/** By the first column of docs/stability.md. */
export const failures: Readonly<Record<string, Failure>> = {
  ...processFailures,
  ...diskFailures,
  ...loadFailures,
}
