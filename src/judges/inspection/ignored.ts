import { isObject } from '../../base/json/is-object.ts'
import { didYouMean } from '../../base/text/did-you-mean.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { operationOf } from '../../service/operations/operations.ts'

/** A parameter or field that the operation ignored (A12, A16). */
export interface Ignored {
  readonly what: 'query parameter' | 'field'
  readonly name: string
  /** A known name that is similar. */
  readonly meant: string | null
}

export function ignoredBy({ call, trace: { operation } }: Exchange): readonly Ignored[] {
  if (operation === undefined) return []
  const known = operationOf(operation)
  const parameters = readQuery(readTarget(call.target).query).map(({ name }) => name)
  const body = known.fields && peekJsonBody(call)
  const fields = isObject(body) ? Object.keys(body) : []
  return [
    ...unknownOf('query parameter', parameters, known.parameters),
    ...unknownOf('field', fields, known.fields),
  ]
}

function unknownOf(
  what: Ignored['what'],
  names: readonly string[],
  known: readonly string[] = [],
): readonly Ignored[] {
  return [...new Set(names)]
    .filter(name => !known.includes(name))
    .map(name => ({ what, name, meant: didYouMean(name, known) ?? null }))
}
