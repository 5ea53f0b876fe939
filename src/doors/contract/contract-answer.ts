import type { JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { CallContext } from '../../emulator/gates/call-context.ts'
import { readForwarded } from '../../emulator/gates/forwarded.ts'
import type { OpenAreas } from '../../emulator/gates/open-areas.ts'
import { contractDocument } from '../../generated/contract.ts'
import { addOperations } from '../../judges/contract/description/add-operations.ts'
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

/** Texts to keep, each for one base URL. */
const mostKept = 8

/** Answers with the contract of this server: its operations, those of `--openapi`, and its own base URL. */
export function createContractAnswer(access: ContractAccess) {
  const kept = new Map<string, Answer>()
  let keptAreas: OpenAreas | undefined
  return async (context: CallContext, areas: OpenAreas | undefined): Promise<Answer> => {
    const { target, address } = context
    const shown = mayReadAdditions(context, access) ? areas : undefined
    if (areas !== keptAreas || kept.size >= mostKept) kept.clear()
    keptAreas = areas
    const place = `${shown === undefined} ${target.path} ${address.base}`
    const known = kept.get(place)
    if (known !== undefined) return known
    const added = shown?.description?.()
    const whole = added === undefined ? contractDocument : addOperations(contractDocument, added)
    const answer = await write(atServer(whole, address.base), target.path.endsWith('.yaml'))
    kept.set(place, answer)
    return answer
  }
}

function mayReadAdditions({ call }: CallContext, { token, isExposed, trustProxy }: ContractAccess): boolean {
  const isLocal = trustProxy !== true || readForwarded(call.headers).isLocal
  if (!isExposed && isLocal) return true
  const credential = readCredential(call.headers)
  return token !== undefined && credential.kind === 'key' && equalsSecret(credential.text, token)
}

/** Generators and pages that try calls use the servers of a contract: production must not be one of them. */
function atServer(document: JsonObject, url: string): JsonObject {
  return { ...document, servers: [{ url, description: 'This pet-mock server.' }] }
}

async function write(document: JsonObject, asYaml: boolean): Promise<Answer> {
  if (!asYaml) return reply(200, writeJson(document), { 'Content-Type': 'application/json' })
  const { stringify } = await import('yaml')
  // RFC 9512.
  return reply(200, stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }), {
    'Content-Type': 'application/yaml',
  })
}
