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

/** Answers with the contract of this server: its operations, those of `--openapi`, and its own base URL. */
export function createContractAnswer(access: ContractAccess) {
  // A large file takes seconds to write, so only the server's URL is written for each call.
  const kept = new Map<string, Promise<string>>()
  let keptAreas: OpenAreas | undefined
  return async (context: CallContext, areas: OpenAreas | undefined): Promise<Answer> => {
    const { target, address } = context
    const shown = mayReadAdditions(context, access) ? areas : undefined
    if (areas !== keptAreas) kept.clear()
    keptAreas = areas
    const form = target.path.endsWith('.yaml') ? yaml : json
    const place = `${shown === undefined} ${form.type}`
    const added = shown?.description
    const rest = kept.get(place) ?? form.write(restOf(added?.()))
    kept.set(place, rest)
    const text = form.join(await form.write(atServer(address.base)), await rest)
    return reply(200, text, { 'Content-Type': form.type })
  }
}

function mayReadAdditions({ call }: CallContext, { token, isExposed, trustProxy }: ContractAccess): boolean {
  const isLocal = trustProxy !== true || readForwarded(call.headers).isLocal
  if (!isExposed && isLocal) return true
  const credential = readCredential(call.headers)
  return token !== undefined && credential.kind === 'key' && equalsSecret(credential.text, token)
}

/** Generators and pages that try calls use the servers of a contract: production must not be one of them. */
function atServer(url: string): JsonObject {
  const { openapi = null } = contractDocument
  return { openapi, servers: [{ url, description: 'This pet-mock server.' }] }
}

/** The contract without what `atServer` says. */
function restOf(added: Parameters<typeof addOperations>[1] | undefined): JsonObject {
  const whole = added === undefined ? contractDocument : addOperations(contractDocument, added)
  const { openapi: _openapi, servers: _servers, ...rest } = whole
  return rest
}

interface Form {
  readonly type: string
  readonly write: (document: JsonObject) => Promise<string>
  /** Makes one document of the texts of two. */
  readonly join: (first: string, second: string) => string
}

const json: Form = {
  type: 'application/json',
  write: async document => writeJson(document),
  join: (first, second) => `${first.slice(0, -1)},${second.slice(1)}`,
}

const yaml: Form = {
  // RFC 9512.
  type: 'application/yaml',
  write: async document => {
    const { stringify } = await import('yaml')
    return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
  },
  join: (first, second) => first + second,
}
