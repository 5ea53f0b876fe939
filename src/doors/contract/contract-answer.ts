import type { CallContext } from '../../emulator/gates/call-context.ts'
import { readForwarded } from '../../emulator/gates/forwarded.ts'
import type { OpenAreas } from '../../emulator/gates/open-areas.ts'
import { createContractText, jsonForm, yamlForm } from '../../judges/contract/description/contract-text.ts'
import { type Answer, reply } from '../../service/call/answer.ts'
import { readCredential } from '../../service/keys/credential.ts'
import { equalsSecret } from '../admin/guard.ts'

export interface ContractAccess {
  /** The admin token. */
  readonly token: string | undefined
  /** Whether other machines can reach the server. They get what --openapi adds only with the token. */
  readonly isExposed: boolean
  readonly trustProxy?: boolean
}

/** Answers with the contract of this server. */
export function createContractAnswer(access: ContractAccess) {
  const write = createContractText()
  return async (context: CallContext, areas: OpenAreas | undefined): Promise<Answer> => {
    const { target, address } = context
    const form = target.path.endsWith('.yaml') ? yamlForm : jsonForm
    const text = await write(form, address.base, areas, mayReadAdditions(context, access))
    return reply(200, text, { 'Content-Type': form.type })
  }
}

function mayReadAdditions({ call }: CallContext, { token, isExposed, trustProxy }: ContractAccess): boolean {
  const isLocal = trustProxy !== true || readForwarded(call.headers).isLocal
  if (!isExposed && isLocal) return true
  const credential = readCredential(call.headers)
  return token !== undefined && credential.kind === 'key' && equalsSecret(credential.text, token)
}
