import { groupDigits } from '../../base/text/quantities.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import type { Session } from './session.ts'

interface Sandbox {
  readonly name: string
  readonly requests: number
}

/** A line about requests in sandboxes that a command without --sandbox leaves out. `isOne`: the command takes one name. */
export async function otherSandboxes(
  { values, ask }: Pick<Session, 'values' | 'ask'>,
  isOne = false,
): Promise<readonly string[]> {
  if (values.json || values.sandbox !== undefined) return []
  const sandboxes = await listSandboxes(ask)
  const others = sandboxes.filter(({ name, requests }) => name !== 'default' && requests > 0)
  const [first] = others
  if (first === undefined) return []
  const isSingle = others.length === 1
  const count = isSingle ? '1 more sandbox has' : `${groupDigits(others.length)} more sandboxes have`
  const name = isSingle ? first.name : 'NAME'
  return [`${count} requests: --sandbox ${isOne ? name : "'*'"}`]
}

/** A proxy has no sandboxes. */
async function listSandboxes(ask: Session['ask']): Promise<readonly Sandbox[]> {
  try {
    return (await ask<{ readonly sandboxes: readonly Sandbox[] }>('GET', '/sandboxes')).sandboxes
  } catch (error) {
    if (error instanceof PetMockError) return []
    throw error
  }
}
