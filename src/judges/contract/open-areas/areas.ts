import { objectOf } from '../../../base/json/is-object.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { AreaOperation, OpenAreas } from '../../../emulator/gates/open-areas.ts'
import { injectedFault } from '../../../emulator/rules/rule.ts'
import { type Answer, reply } from '../../../service/call/answer.ts'
import { appliedHeader } from '../../../service/call/prefer.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'
import { pathSegments } from '../../../service/call/target.ts'
import { createRouter } from '../../../service/operations/routes.ts'
import { hasExample, mockReply, seedOf } from '../prism/examples.ts'
import { findBreaches } from '../prism/prism.ts'
import { answerFromCollection, readAreaRequest } from './collection.ts'
import {
  type CollectionPlan,
  type Described,
  describeOperation,
  findCollections,
} from './find-collections.ts'
import { type LazyOperation, responsesOf, successIn } from './lazy-operation.ts'

interface ServedOperation {
  readonly described: Described
  readonly source: AreaOperation['source']
  /** The collection that the operation belongs to, if any. */
  readonly plan: CollectionPlan | undefined
}

export interface ContractAreas extends OpenAreas {
  /** Every operation of the contract, in its order. */
  readonly operations: readonly Described[]
  readonly served: readonly ServedOperation[]
}

/** Serves the operations of a contract that the emulator does not have. */
export function createAreas(contract: readonly LazyOperation[]): ContractAreas {
  const operations = contract.flatMap(operation => describeOperation(operation) ?? [])
  const plans = findCollections(operations)
  const served = operations.flatMap((described): readonly ServedOperation[] => {
    const { method, isEmulated } = described
    const plan = plans.find(({ create, list, single }) =>
      [create, list, single.get(method)].includes(described),
    )
    if (plan === undefined && isEmulated) return []
    return [{ described, plan, source: plan === undefined ? 'mocker' : 'collection' }]
  })
  const route = createRouter(served.map(one => [one.described.segments, one]))
  const at = (path: string) => {
    const segments = pathSegments(path)?.slice(1) ?? []
    const matching = route(segments)
    const [first] = matching
    return { segments, found: matching.filter(one => first && templateOf(one) === templateOf(first)) }
  }
  return {
    operations,
    served,
    paths: [...new Set(served.map(({ described }) => described.fullPath))],
    methods: [...new Set(served.map(({ described }) => described.method))],
    methodsAt: path => at(path).found.map(({ described }) => described.method),
    find: (path, method) => {
      const { segments, found } = at(path)
      const one = found.find(({ described }) => described.method === method)
      if (one === undefined) return undefined
      const { described, source } = one
      const { id, stability } = described
      return { id, source, stability, answer: context => answer(one, context, segments) }
    },
  }
}

/** Methods of one path may name its parameters differently. */
function templateOf({ described }: ServedOperation): string {
  return described.segments.join('/')
}

async function answer(
  { described, plan }: ServedOperation,
  context: CallContext,
  segments: readonly string[],
): Promise<Answer> {
  const operation = await described.operation.read()
  const asked = context.caller.preferences?.example
  const example = asked !== undefined && hasExample(operation, asked) ? asked : undefined
  if (plan !== undefined && example === undefined)
    return answerFromCollection(plan, described, context, segments)
  const request = await readAreaRequest(context, described, segments)
  if ('refusal' in request) return request.refusal
  const error = onlyError(described.operation)
  if (error !== undefined) {
    const { method, fullPath } = described
    const code = codes[error] ?? injectedFault
    const message = `The contract documents only errors for ${method} ${fullPath}. This is the first one.`
    return { ...reply(error, JSON.stringify({ code, message, status: error })), code }
  }
  const seed = seedOf(context.world.scenario.seed, request.texts)
  const { status, headers, mediaType, body } = await mockReply(operation, request.texts, seed, example)
  const isText = typeof body === 'string' && mediaType !== undefined && !/\bjson\b/i.test(mediaType)
  const text = body === undefined ? '' : isText ? body : writeJson(body)
  return reply(status, text, {
    ...headers,
    ...(example !== undefined && { [appliedHeader]: `example=${example}` }),
    ...(text !== '' && mediaType !== undefined && { 'Content-Type': mediaType }),
  })
}

/** The status of the first error of an operation that documents nothing else and no body for it. */
export function onlyError(operation: LazyOperation): number | undefined {
  const [first] = responsesOf(operation).filter(({ code }) => /^[45]/.test(code))
  if (successIn(operation) !== undefined || first === undefined) return undefined
  return Object.keys(objectOf(first.response.content)).length > 0
    ? undefined
    : Number(first.code.replaceAll('X', '0'))
}

const codes: Readonly<Partial<Record<number, ProblemCode>>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  500: 'internal_error',
}

/** How the orders of the fixtures break the contract for the list of orders. */
export async function judgeOrders(operations: readonly Described[], orders: readonly JsonValue[]) {
  const list = operations.find(({ fullPath, method }) => fullPath === '/v1/store/orders' && method === 'GET')
  if (list === undefined) return []
  const request = { method: 'GET', target: list.path, requestHeaders: {}, requestBody: undefined }
  const response = { status: 200, headers: { 'content-type': 'application/json' }, body: writeJson(orders) }
  const found = await findBreaches(await list.operation.read(), { ...request, ...response })
  return found
    .filter(({ side, part }) => side === 'response' && part === 'body')
    .map(({ message }) => `GET ${list.fullPath}: the orders of the fixtures do not match: ${message}`)
}
