import type { Credential } from '../../service/keys/credential.ts'
import { sandboxNames } from './constraints.ts'

/** A key as clients send it, and its parts if it may name a sandbox: `demo-free+worker-3`. */
export interface SandboxKey {
  readonly text: string
  readonly base: string
  /** Undefined if what follows the last `+` is no name of a sandbox. */
  readonly sandbox: string | undefined
}

/** Splits the key of a credential, if it has one. */
export function splitKey(credential: Credential): SandboxKey | undefined {
  if (credential.kind !== 'key') return undefined
  const { text } = credential
  const plus = text.lastIndexOf('+')
  const name = text.slice(plus + 1)
  return {
    text,
    base: text.slice(0, plus),
    sandbox: plus !== -1 && sandboxNames.accepts(name) ? name : undefined,
  }
}
