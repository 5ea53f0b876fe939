import { injectedFault } from '../../../emulator/rules/rule.ts'
import { type Answer, reply } from '../../../service/call/answer.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import type { Operation } from '../prism/prism.ts'
import type { Described } from './described-operation.ts'
import { successOf } from './prism-mocker.ts'

/** The status of the first error of an operation that documents nothing else and no body for it. */
export function onlyError(operation: Operation): number | undefined {
  const [first] = operation.responses.filter(({ code }) => /^[45]/.test(code))
  if (successOf(operation) !== undefined || first === undefined || (first.contents ?? []).length > 0)
    return undefined
  return Number(first.code.replaceAll('X', '0'))
}

const codes: Readonly<Partial<Record<number, ProblemCode>>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  500: 'internal_error',
}

/** The error in the Error shape of the specification. */
export function answerError({ method, fullPath }: Described, status: number): Answer {
  const code = codes[status] ?? injectedFault
  const message = `The contract documents only errors for ${method} ${fullPath}. This is the first one.`
  return { ...reply(status, JSON.stringify({ code, message, status })), code }
}
