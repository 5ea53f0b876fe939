import { groupDigits } from '../../base/text/quantities.ts'
import type { Answer } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import type { Session } from './server-command.ts'

/** A line about requests in sandboxes that a command without --sandbox leaves out. `isOne`: the command takes one name. */
export async function otherSandboxes(
  { values, ask }: Pick<Session, 'values' | 'ask'>,
  isOne = false,
): Promise<readonly string[]> {
  if (values.json || values.sandbox !== undefined) return []
  const { sandboxes } = await ask('listSandboxes').catch((error): Answer<'listSandboxes'> => {
    // A proxy has no sandboxes.
    if (error instanceof PetMockError) return { sandboxes: [] }
    throw error
  })
  const others = sandboxes.filter(({ name, requests }) => name !== 'default' && requests > 0)
  const [first] = others
  if (first === undefined) return []
  const isSingle = others.length === 1
  const count = isSingle ? '1 more sandbox has' : `${groupDigits(others.length)} more sandboxes have`
  const name = isSingle ? first.name : 'NAME'
  return [`${count} requests: --sandbox ${isOne ? name : "'*'"}`]
}
