import type { JsonObject } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { contractDocument } from '../../../generated/contract.ts'
import { type Additions, addOperations } from './add-operations.ts'

/** What a server adds to the contract: an object for each reading of `--openapi`. */
export interface Added {
  readonly description?: () => Additions
}

/** Writes the contract of a server: its operations, those of `--openapi`, and its own base URL. */
export function createContractText() {
  // A large file takes seconds to write, so only the server's URL is written for each call.
  const kept = new Map<string, Promise<string>>()
  let keptFor: Added | undefined
  return async (form: ContractForm, url: string, added: Added | undefined, isShown = true) => {
    if (added !== keptFor) kept.clear()
    keptFor = added
    const place = `${isShown} ${form.type}`
    const rest = kept.get(place) ?? form.write(restOf(isShown ? added?.description?.() : undefined))
    kept.set(place, rest)
    return form.join(await form.write(atServer(url)), await rest)
  }
}

/** Generators and pages that try calls use the servers of a contract: production must not be one of them. */
function atServer(url: string): JsonObject {
  const { openapi = null } = contractDocument
  return { openapi, servers: [{ url, description: 'This pet-mock server.' }] }
}

/** The contract without what `atServer` says. */
function restOf(added: Additions | undefined): JsonObject {
  const whole = added === undefined ? contractDocument : addOperations(contractDocument, added)
  const { openapi: _openapi, servers: _servers, ...rest } = whole
  return rest
}

interface ContractForm {
  readonly type: string
  readonly write: (document: JsonObject) => Promise<string>
  readonly join: (first: string, second: string) => string
}

export const jsonForm: ContractForm = {
  type: 'application/json',
  write: async document => writeJson(document),
  join: (first, second) => `${first.slice(0, -1)},${second.slice(1)}`,
}

export const yamlForm: ContractForm = {
  // RFC 9512.
  type: 'application/yaml',
  write: async document => {
    const { stringify } = await import('yaml')
    return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
  },
  join: (first, second) => first + second,
}
